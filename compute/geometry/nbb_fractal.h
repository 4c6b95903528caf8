#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "compute/core/coord.h"
#include "compute/geometry/level_table.h"
#include "compute/geometry/nbb_shape.h"
#include "compute/geometry/symmetry.h"

namespace loom {

/// The arrangement of replicas at one level.
struct Generator {
  std::uint32_t s_x = 0;
  std::uint32_t s_y = 0;
  std::vector<Coord32> offsets;
  /// How the content of each replica is placed, one for each offset; empty: all as they are.
  std::vector<Symmetry> orientations = {};
  std::string name = {};  ///< of a built-in fractal with these offsets; may be empty
  friend bool operator==(const Generator&, const Generator&) = default;
};

/// A named fractal that satisfies the NBB conditions at each level: k >= 2; 1 <= s <= 8 on each axis, and not
/// 1 on both; offsets are within the scale box and pairwise different. Most fractals are uniform: they have
/// one generator for all levels and no turned replicas. Immutable.
class NbbFractal {
 public:
  /// Throws InputError that states what is wrong and what is allowed. The order of the offsets is kept: it
  /// numbers the replicas and thereby defines the canonical index.
  NbbFractal(std::string name, std::uint32_t s_x, std::uint32_t s_y, const std::vector<Coord32>& offsets);

  /// A fractal with a generator for each level, from the coarsest down. If `repeats`, the list begins again
  /// after its last generator, otherwise its length is the highest level. Replicas may only be turned if the
  /// scales of all generators are square. Throws InputError.
  NbbFractal(std::string name, std::vector<Generator> generators, bool repeats = true);

  const std::string& name() const { return name_; }
  LevelKind kind() const { return levels_.kind; }
  bool is_uniform() const { return kind() == LevelKind::kUniform; }
  /// The shape of a uniform fractal, and the coarsest level's shape of any other.
  const NbbShape& shape() const { return shape_; }
  /// The offsets that belong to shape().
  std::vector<Coord32> offsets() const;
  /// The list of generators, from the coarsest level down; one for a uniform fractal.
  const std::vector<Generator>& generators() const { return generators_; }
  bool repeats() const { return repeats_; }
  /// The generator of level mu, 1 the finest, of this fractal at level `level`.
  const Generator& generator(int level, int mu) const {
    return generators_[static_cast<std::size_t>(level - mu) % generators_.size()];
  }
  /// The fractal that each tile of `tile_level` levels contains, at its own level `tile_level`, before it is
  /// turned. A uniform fractal contains itself.
  NbbFractal content(int level, int tile_level) const;
  /// For maps; valid while this object or a copy of it exists.
  const LevelView& levels() const { return levels_; }

  /// The largest level for which n_x, n_y and k^r all fit in 64 bits (in 62 bits for fractals that are not
  /// uniform) and which has generators.
  int max_level() const { return max_level_; }
  /// n_x, n_y and the number of cells: s_x^r, s_y^r and k^r, or the products over the levels. They throw
  /// InputError with max_level() for a level outside 0..max_level().
  std::uint64_t width(int level) const;
  std::uint64_t height(int level) const;
  std::uint64_t cells(int level) const;
  /// The extent of compact space at a level along x and y: the products of the k of its odd and even levels.
  Coord64 compact_extent(int level) const;
  /// The Hausdorff dimension log k / log s. For unequal scales, log s is the mean of log s_x and log s_y; for
  /// several generators, both logarithms are sums over the list.
  double dimension() const;

  friend bool operator==(const NbbFractal& a, const NbbFractal& b) {
    return a.name_ == b.name_ && a.has_same_cells(b);
  }
  /// Whether another fractal has the same cells and numbers at each level, whatever its name.
  bool has_same_cells(const NbbFractal& other) const;

 private:
  void check_level(int level) const;
  void find_max_level();
  void build_levels();

  std::string name_;
  std::vector<Generator> generators_;
  bool repeats_ = true;
  NbbShape shape_;
  std::shared_ptr<const LevelTable> table_;  ///< none for a uniform fractal
  LevelView levels_;
  int max_level_ = 0;
};

}  // namespace loom
