#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "compute/core/coord.h"
#include "compute/core/fast_divisor.h"
#include "compute/core/host_device.h"
#include "compute/geometry/nbb_shape.h"

namespace loom {

/// One of the eight symmetries of a square of side n, y down: the axes are swapped (bit 0), then x becomes
/// n - 1 - x (bit 1), then y becomes n - 1 - y (bit 2).
enum class Symmetry : std::uint8_t {
  kIdentity = 0,
  kTranspose = 1,      ///< (y, x)
  kMirrorX = 2,        ///< (n - 1 - x, y)
  kRotate90 = 3,       ///< (n - 1 - y, x), 90 degrees clockwise
  kMirrorY = 4,        ///< (x, n - 1 - y)
  kRotate270 = 5,      ///< (y, n - 1 - x)
  kRotate180 = 6,      ///< (n - 1 - x, n - 1 - y)
  kAntitranspose = 7,  ///< (n - 1 - y, n - 1 - x)
};
inline constexpr std::uint32_t kSymmetryCount = 8;

/// The names in fractal files: "id", "r90", "r180", "r270", "mx", "my", "t", "at", in that order.
inline constexpr std::array kSymmetries = {
    Symmetry::kIdentity, Symmetry::kRotate90, Symmetry::kRotate180, Symmetry::kRotate270,
    Symmetry::kMirrorX,  Symmetry::kMirrorY,  Symmetry::kTranspose, Symmetry::kAntitranspose};
std::string_view name_of(Symmetry symmetry);
/// Throws InputError with the list of names.
Symmetry parse_symmetry(std::string_view name);

/// The image of a point of a square of side `side`.
template <typename Int>
LOOM_HOST_DEVICE Coord<Int> apply(Symmetry symmetry, Coord<Int> at, Int side) {
  const auto bits = static_cast<std::uint32_t>(symmetry);
  const Int x = bits & 1u ? at.y : at.x;
  const Int y = bits & 1u ? at.x : at.y;
  return {bits & 2u ? side - 1 - x : x, bits & 4u ? side - 1 - y : y};
}

/// `bits` with the two flips exchanged if the axes are swapped.
LOOM_HOST_DEVICE constexpr std::uint32_t flips_behind_swap(std::uint32_t flips, std::uint32_t swap) {
  return swap & 1u ? (flips & 2u) << 1 | (flips & 4u) >> 1 : flips & 6u;
}

/// The symmetry that applies `inner` first and `outer` second.
LOOM_HOST_DEVICE constexpr Symmetry compose(Symmetry outer, Symmetry inner) {
  const auto a = static_cast<std::uint32_t>(outer);
  const auto b = static_cast<std::uint32_t>(inner);
  return static_cast<Symmetry>(((a ^ b) & 1u) | ((a & 6u) ^ flips_behind_swap(b, a)));
}

/// The symmetry that reverses another.
LOOM_HOST_DEVICE constexpr Symmetry inverse(Symmetry symmetry) {
  const auto bits = static_cast<std::uint32_t>(symmetry);
  return static_cast<Symmetry>((bits & 1u) | flips_behind_swap(bits, bits));
}

/// The largest number of levels of a fractal: k >= 2 and k^r <= 2^62.
inline constexpr int kMaxLevels = 62;

/// How the levels of a fractal differ.
enum class LevelKind : std::uint8_t {
  kUniform,  ///< one generator for all levels, replicas as they are
  kMixed,    ///< a generator for each level
  kTurned,   ///< some replicas are rotated or mirrored; generators may differ by level as well
};

/// The divisors that split coordinates into a level's digits.
template <typename Int>
struct LevelDivisors {
  FastDivisor<Int> k;
  FastDivisor<Int> s_x;
  FastDivisor<Int> s_y;
};

/// The generator of one level.
struct LevelShape {
  NbbShape shape;
  /// Bit y * s_x + x: whether a replica is there.
  std::uint64_t occupied = 0;
  Symmetry symmetry[kMaxReplicas] = {};  ///< how the content of replica b is placed
};

/// All levels of a fractal that is not uniform, from the coarsest down: generators are assigned in this
/// direction. Level mu of a fractal of level r is element r - mu. Levels without a generator are not read.
struct LevelTable {
  LevelDivisors<std::uint32_t> narrow[kMaxLevels];
  LevelDivisors<std::uint64_t> wide[kMaxLevels];
  LevelShape shapes[kMaxLevels];

  template <typename Int>
  LOOM_HOST_DEVICE const LevelDivisors<Int>& divisors(int i) const {
    if constexpr (sizeof(Int) == sizeof(std::uint32_t)) {
      return narrow[i];
    } else {
      return wide[i];
    }
  }
};

/// One level of the tile coordinates of a mixed fractal, with what a thread adds for each digit. Aligned for
/// load_whole().
template <typename Int>
struct MixedLevel {
  static constexpr Int kHole = ~Int{0};
  alignas(16) FastDivisor<Int> k;
  alignas(16) FastDivisor<Int> s_x;
  alignas(16) FastDivisor<Int> s_y;
  /// The term of lambda for replica b: its offset times the scales of all finer levels.
  alignas(16) Coord<Int> offset[kMaxReplicas];
  /// The term of nu for the point y * s_x + x of the scale box: its replica times the k of all finer levels
  /// of the same parity, or kHole.
  Int replica[kMaxReplicas];
};

/// The levels of a fractal as plain data for kernels: null pointers for a uniform fractal. The host's table
/// belongs to the NbbFractal, which must outlive the view; the device's table is a copy that an engine owns.
struct LevelView {
  LevelKind kind = LevelKind::kUniform;
  const LevelTable* host = nullptr;
  const LevelTable* device = nullptr;
  const void* device_mixed = nullptr;  ///< MixedLevel of a mixed fractal, finest first, in its integer width

  LOOM_HOST_DEVICE const LevelTable& table() const {
#if defined(__CUDA_ARCH__)
    return *device;
#else
    return *host;
#endif
  }
};

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
