#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>

namespace loom {

/// What became of a region.
enum class RegionKind : std::uint8_t {
  kFill,   ///< its border has one dwell: filled with it
  kLeaf,   ///< not divided further: computed
  kSplit,  ///< divided into r x r
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

/// One level of the subdivision. Regions are those looked at: regions = filled + leaves + splits.
struct MandelbrotLevel {
  std::uint32_t width = 0;    ///< of its widest region, pixels
  std::uint32_t height = 0;   ///< of its highest region, pixels
  std::uint64_t regions = 0;  ///< entries read from the OLT
  std::uint64_t filled = 0;
  std::uint64_t leaves = 0;
  std::uint64_t splits = 0;
  std::uint64_t children = 0;       ///< entries written to the next level's OLT
  std::uint64_t border_pixels = 0;  ///< dwells computed on borders, those of tiles in leaves among them
  std::uint64_t leaf_pixels = 0;    ///< dwells computed in leaves beside
  std::uint64_t filled_pixels = 0;  ///< pixels written without computing, those of tiles among them
  /// Time of the level; none with DP, whose levels run into each other.
  std::optional<double> milliseconds;

  friend bool operator==(const MandelbrotLevel&, const MandelbrotLevel&) = default;

  /// Adds what another part of the same level counted; its time and sizes stay.
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

  /// P: the share of regions that split; 0 where there are none.
  double split_fraction() const {
    return regions ? static_cast<double>(splits) / static_cast<double>(regions) : 0;
  }
};

/// More than any subdivision has: regions shrink at least by half, and images are narrower than 2^32.
inline constexpr std::uint32_t kMostSubdivisionLevels = 32;

/// The levels of one computation, in order. They take no memory of their own, so that a frame allocates none.
class MandelbrotLevels {
 public:
  MandelbrotLevels() = default;
  MandelbrotLevels(std::initializer_list<MandelbrotLevel> levels) {
    for (const MandelbrotLevel& level : levels) push_back(level);
  }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  /// `size` <= kMostSubdivisionLevels; new ones are empty.
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
  std::array<MandelbrotLevel, kMostSubdivisionLevels> levels_ = {};
  std::size_t size_ = 0;
};

/// What one computation cost. The levels are empty with the exhaustive method.
struct MandelbrotReport {
  double milliseconds = 0;  ///< all of it: CUDA events on the GPU, steady clock on the CPU
  std::uint64_t pixels = 0;
  std::uint64_t bytes_held = 0;  ///< dwells and OLTs
  MandelbrotLevels levels;
  /// Of a mirrored image: pixels copied from the other side of the real axis, which no level counts, and
  /// those computed on the axis.
  std::uint64_t mirrored_pixels = 0;
  std::uint64_t axis_pixels = 0;

  friend bool operator==(const MandelbrotReport&, const MandelbrotReport&) = default;

  /// Dwells computed on borders, in leaves and on the axis; every pixel where the method is exhaustive.
  std::uint64_t computed_pixels() const {
    if (levels.empty()) return pixels;
    std::uint64_t sum = axis_pixels;
    for (const MandelbrotLevel& level : levels) sum += level.border_pixels + level.leaf_pixels;
    return sum;
  }
  /// Omega by real counts: pixels over dwells computed.
  double work_reduction() const {
    return computed_pixels() ? static_cast<double>(pixels) / static_cast<double>(computed_pixels()) : 0;
  }
};

/// What one of several parts of a picture took, in milliseconds since the computation was called for.
struct MandelbrotPartTime {
  double begin = 0;
  double end = 0;
  double milliseconds = 0;  ///< that its device worked, as MandelbrotReport::milliseconds
  std::uint64_t pixels = 0;
};

/// What was done for a smooth image.
struct SmoothReport {
  double milliseconds = 0;     ///< all of it
  std::uint64_t exterior = 0;  ///< pixels whose orbit was computed again; the others are at the limit
};

}  // namespace loom
