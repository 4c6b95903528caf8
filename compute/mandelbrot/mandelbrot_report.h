#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>

namespace loom {

/// The outcome of a region.
enum class RegionKind : std::uint8_t {
  kFill,   ///< its border has one dwell: filled
  kLeaf,   ///< on the last level: computed
  kSplit,  ///< divided into r x r regions
};

/// A region, for overlays: pixels [x, x + width) x [y, y + height).
struct MandelbrotRegion {
  std::uint32_t x = 0;
  std::uint32_t y = 0;
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::uint16_t level = 0;
  RegionKind kind = RegionKind::kFill;
};

/// One level of the subdivision. Regions are those that were processed: regions = filled + leaves + splits.
struct MandelbrotLevel {
  std::uint32_t width = 0;    ///< width of its widest region, pixels
  std::uint32_t height = 0;   ///< height of its highest region, pixels
  std::uint64_t regions = 0;  ///< entries read from the OLT
  std::uint64_t filled = 0;
  std::uint64_t leaves = 0;
  std::uint64_t splits = 0;
  std::uint64_t children = 0;       ///< entries written to the next level's OLT
  std::uint64_t border_pixels = 0;  ///< dwells computed on borders, including those of tiles in leaves
  std::uint64_t leaf_pixels = 0;    ///< other dwells computed in leaves
  std::uint64_t filled_pixels = 0;  ///< pixels written without computation, including those of tiles
  /// Time of the level; nothing where levels overlap: DP, and several levels by warps.
  std::optional<double> milliseconds;

  friend bool operator==(const MandelbrotLevel&, const MandelbrotLevel&) = default;

  /// Adds the counts of another partition of the same level; time and sizes are unchanged.
  void add_counts(const MandelbrotLevel& part) {
    regions += part.regions;
    filled += part.filled;
    leaves += part.leaves;
    splits += part.splits;
    children += part.children;
    border_pixels += part.border_pixels;
    leaf_pixels += part.leaf_pixels;
    filled_pixels += part.filled_pixels;
  }

  /// P: the fraction of regions that split; 0 if there are none.
  double split_fraction() const {
    return regions ? static_cast<double>(splits) / static_cast<double>(regions) : 0;
  }
};

/// An upper bound for the levels of any subdivision: regions shrink at least by half, and images are narrower
/// than 2^32.
inline constexpr std::uint32_t kMaxSubdivisionLevels = 32;

/// The levels of one computation, in order. The object has a fixed size, so that a frame allocates no memory.
class MandelbrotLevels {
 public:
  MandelbrotLevels() = default;
  MandelbrotLevels(std::initializer_list<MandelbrotLevel> levels) {
    for (const MandelbrotLevel& level : levels) push_back(level);
  }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  /// `size` <= kMaxSubdivisionLevels; new levels are empty.
  void resize(std::size_t size) {
    for (std::size_t i = size_; i < size; ++i) levels_[i] = {};
    size_ = size;
  }
  void push_back(const MandelbrotLevel& level) { levels_[size_++] = level; }
  MandelbrotLevel& operator[](std::size_t i) { return levels_[i]; }
  const MandelbrotLevel& operator[](std::size_t i) const { return levels_[i]; }
  const MandelbrotLevel& front() const { return levels_[0]; }
  const MandelbrotLevel& back() const { return levels_[size_ - 1]; }
  MandelbrotLevel* begin() { return levels_.data(); }
  MandelbrotLevel* end() { return levels_.data() + size_; }
  const MandelbrotLevel* begin() const { return levels_.data(); }
  const MandelbrotLevel* end() const { return levels_.data() + size_; }
  friend bool operator==(const MandelbrotLevels& a, const MandelbrotLevels& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }

 private:
  std::array<MandelbrotLevel, kMaxSubdivisionLevels> levels_ = {};
  std::size_t size_ = 0;
};

/// What a reference orbit and its tables (compute/perturbation) cost, and what they are.
struct PerturbationStats {
  double orbit_milliseconds = 0;  ///< of the orbit that is in use, when it was computed
  double table_milliseconds = 0;
  bool orbit_reused = false;  ///< the last view used the orbit of an earlier one
  std::uint32_t orbit_length = 0;
  std::uint32_t period = 0;  ///< where the orbit is cut at its period; else 0
  std::uint64_t steps = 0;   ///< steps of many iterations in the tables
  std::int64_t bits = 0;     ///< mantissa of the orbit's numbers
  std::int64_t digits = 0;   ///< decimal digits of the view's coordinates
  std::uint64_t bytes = 0;   ///< orbit and tables in host memory
  // Of an exact computation (MandelbrotConfig::exact).
  std::uint64_t uncertain = 0;    ///< pixels computed again with two doubles
  std::uint64_t undecided = 0;    ///< of these, those that nothing decides
  double exact_milliseconds = 0;  ///< of the orbit and the tables with two doubles, when they were computed
  friend bool operator==(const PerturbationStats&, const PerturbationStats&) = default;
};

/// The cost of one computation. The exhaustive method has no levels.
struct MandelbrotReport {
  double milliseconds = 0;  ///< total: CUDA events on the GPU, steady clock on the CPU
  std::uint64_t pixels = 0;
  std::uint64_t allocated_bytes = 0;  ///< dwells and OLTs
  /// Counted kernel launches from the host and the device, as executed: long work is divided into several. On
  /// the CPU: parallel loops, and for DP the tasks, one per region.
  std::uint64_t launches = 0;
  MandelbrotLevels levels;
  /// For a mirrored image: pixels copied across the real axis, which no level counts, and pixels computed on
  /// the axis.
  std::uint64_t mirrored_pixels = 0;
  std::uint64_t axis_pixels = 0;
  std::optional<PerturbationStats> perturbation;  ///< of a perturbed precision; not part of the time

  friend bool operator==(const MandelbrotReport&, const MandelbrotReport&) = default;

  /// Dwells computed on borders, in leaves and on the axis; every pixel for the exhaustive method.
  std::uint64_t computed_pixels() const {
    if (levels.empty()) return pixels;
    std::uint64_t sum = axis_pixels;
    for (const MandelbrotLevel& level : levels) sum += level.border_pixels + level.leaf_pixels;
    return sum;
  }
  /// Omega from counts: pixels divided by computed dwells.
  double work_reduction() const {
    return computed_pixels() ? static_cast<double>(pixels) / static_cast<double>(computed_pixels()) : 0;
  }
};

/// The times of one of several partitions of an image, in milliseconds since the call.
struct MandelbrotPartitionTime {
  double begin = 0;
  double end = 0;
  double milliseconds = 0;  ///< busy time of its device, as MandelbrotReport::milliseconds
  std::uint64_t pixels = 0;
};

/// The cost of a smooth image.
struct SmoothReport {
  double milliseconds = 0;     ///< total
  std::uint64_t exterior = 0;  ///< pixels that were iterated again; the others are at the limit
};

}  // namespace loom
