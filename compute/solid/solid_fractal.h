#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "compute/core/coord3.h"
#include "compute/solid/solid_shape.h"

namespace loom {

/// A named three-dimensional NBB fractal: 1 <= s <= 4 on each axis, at least two replicas and at least one
/// empty place; offsets are within the scale box and pairwise different. Immutable.
class SolidFractal {
 public:
  /// Throws InputError that states what is wrong and what is allowed. The order of the offsets is kept: it
  /// numbers the replicas and thereby defines the canonical index.
  SolidFractal(std::string name, Coord3 scale, const std::vector<Coord3>& offsets);

  const std::string& name() const { return name_; }
  const SolidShape& shape() const { return shape_; }
  std::vector<Coord3> offsets() const;

  /// The largest level whose sides fit in 32 bits and whose cells fit in 64 bits.
  int max_level() const { return max_level_; }
  /// (s_x^r, s_y^r, s_z^r) and k^r. They throw InputError with max_level() for a level outside
  /// 0..max_level().
  Coord3 size(int level) const;
  std::uint64_t cells(int level) const;
  /// The Hausdorff dimension log k / log s. For unequal scales, log s is the mean over the axes.
  double dimension() const;
  /// k^r / (n_x n_y n_z), the share of the cube that consists of cells.
  double filled_share(int level) const;

  friend bool operator==(const SolidFractal&, const SolidFractal&) = default;

 private:
  void check_level(int level) const;
  std::string name_;
  SolidShape shape_;
  int max_level_ = 0;
};

/// The built-in three-dimensional fractals, in the order of docs/reference/fractals.md. The first one is
/// menger-sponge.
const std::vector<SolidFractal>& solid_catalog();

/// Null if no built-in three-dimensional fractal has this name.
const SolidFractal* find_solid(std::string_view name);

}  // namespace loom
