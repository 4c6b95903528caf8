#pragma once

#include <cstdint>

#include "compute/cuda/mandelbrot/region/region_parts.h"
#include "compute/cuda/mandelbrot/region/warp_tables.h"
#include "compute/mandelbrot/region.h"
#include "compute/mandelbrot/subdivision.h"

namespace loom::cuda {

/// A numbered region (WarpTables).
struct WarpRegion {
  Region pixels;
  std::uint32_t number = 0;
  std::uint32_t level = 0;
};

/// The work of a warp: pixels from 32 * chunk on of a region's border, of a panel's lines, of a leaf's
/// inside, or of the insides of a panel's open tiles.
struct WarpChunk {
  enum class Part : std::uint32_t { kNone, kBorder, kLines, kInside, kTiles };  // below 7 (QueuedChunk)
  WarpRegion region;
  std::uint32_t panel = 0;  ///< of the leaf
  std::uint32_t chunk = 0;
  Part part = Part::kNone;
};

/// The regions of all levels by their numbers. `first`: the places of those of the first level; null if they
/// are all regions in order.
class WarpRegions {
 public:
  __device__ WarpRegions(const Subdivision& cut, const WarpTables& layout, const Coord32* first)
      : cut_(cut), layout_(layout), first_(first) {}

  __device__ std::uint32_t children() const { return cut_.r * cut_.r; }

  __device__ WarpRegion at(std::uint32_t number) const {
    WarpRegion region{{}, number, 0};
    std::uint32_t index = number;  // in its level
    for (std::uint32_t of_level = layout_.first; index >= of_level; of_level *= children()) {
      index -= of_level;
      ++region.level;
    }
    // The digits of `index` to base r x r are the positions of the region and its ancestors in their parents.
    Coord32 place{0, 0};
    std::uint32_t side = 1;
    for (std::uint32_t i = 0; i < region.level; ++i, index /= children(), side *= cut_.r) {
      const std::uint32_t child = index % children();
      place.x += child % cut_.r * side;
      place.y += child / cut_.r * side;
    }
    const std::uint32_t parts = cut_.first_parts;
    const Coord32 first = first_ == nullptr ? Coord32{index % parts, index / parts} : first_[index];
    region.pixels = region_at(cut_, parts * side, first.x * side + place.x, first.y * side + place.y);
    return region;
  }

  __device__ WarpRegion child_of(const WarpRegion& parent, std::uint32_t child) const {
    std::uint32_t begin = 0;  // of the parent's level
    std::uint32_t end = layout_.first;
    for (std::uint32_t level = 0, of_level = layout_.first; level < parent.level; ++level) {
      of_level *= children();
      begin = end;
      end += of_level;
    }
    return at(end + (parent.number - begin) * children() + child);
  }

 private:
  const Subdivision& cut_;
  const WarpTables& layout_;
  const Coord32* first_;
};

/// Pixel `i` of a rectangle, row by row.
__device__ __forceinline__ Coord32 pixel_in_rows(const Region& region, std::uint32_t i) {
  return {region.x + i % region.width, region.y + i / region.width};
}

/// Pixel `i` of a rectangle in columns of eight pixels: the pixels of a warp are 8 x 4 where they can be.
__device__ __forceinline__ Coord32 pixel_in_columns(const Region& region, std::uint32_t i) {
  constexpr std::uint32_t kWidth = 8;
  const std::uint32_t column = i / (kWidth * region.height);
  const std::uint32_t width = min(kWidth, region.width - kWidth * column);
  const std::uint32_t at = i - column * kWidth * region.height;
  return {region.x + kWidth * column + at % width, region.y + at / width};
}

/// Pixel `i` of those inside tiles of a panel, tile by tile; `tiles` has a bit for each of them. Returns
/// whether there is one.
__device__ __forceinline__ bool pixel_in_tiles(const Region& panel, unsigned long long tiles, std::uint32_t i,
                                               Coord32& pixel) {
  for (; tiles != 0; tiles &= tiles - 1) {
    const Region inside = inside_of(tile_at(panel, __ffsll(static_cast<long long>(tiles)) - 1));
    const auto area = static_cast<std::uint32_t>(inside.area());
    if (i < area) {
      pixel = pixel_in_rows(inside, i);
      return true;
    }
    i -= area;
  }
  return false;
}

}  // namespace loom::cuda
