#pragma once

#include <cstdint>

#include "compute/core/host_device.h"
#include "compute/cuda/mandelbrot/region/region_parts.h"
#include "compute/mandelbrot/region.h"
#include "compute/mandelbrot/subdivision.h"

namespace loom::cuda {

// The tables of ASK by warps (ask_warps.cuh). They all start at 0.

/// The state of a region.
struct RegionState {
  static constexpr std::uint32_t kDiffers = 1u << 31;  ///< its border has two dwells
  static constexpr std::uint32_t kBegun = 1u << 30;    ///< the first chunk of its border is computed
  static constexpr std::uint32_t kTiles = 1u << 29;    ///< as a leaf, it is computed by tiles
  static constexpr std::uint32_t kChunks = kTiles - 1;
  std::uint32_t border;  ///< computed chunks of its border, and the flags
  /// Tickets issued for chunks of its children's borders or of a leaf's inside, possibly more than there are
  /// chunks.
  std::uint32_t taken;
  /// Whether the work that follows from its border can begin: the border is known not to be uniform, and it
  /// is decided whether a leaf is computed by tiles.
  LOOM_HOST_DEVICE static bool is_open(std::uint32_t border) {
    return (border & kDiffers) != 0 && (border & kBegun) != 0;
  }
};

/// The state of a panel of a leaf that is computed by tiles.
struct PanelState {
  unsigned long long open;     ///< a bit for each tile that is not filled
  std::uint32_t pixels;        ///< inside open tiles
  std::uint32_t events;        ///< computed chunks of its lines, the leaf's opening, the leaf's border
  std::uint32_t lines_taken;   ///< tickets issued for chunks of its lines
  std::uint32_t pixels_taken;  ///< the same for the pixels inside open tiles
};

/// The numbers of regions and panels, and the layout of the tables. Regions of all levels are numbered: those
/// of the first level, then the r x r children of each of them in order, and so on. Panels are numbered leaf
/// by leaf.
struct WarpTables {
  std::uint32_t first = 0;           ///< regions of the first level
  std::uint32_t upper = 0;           ///< regions of all levels but the last one
  std::uint32_t all = 0;             ///< regions
  std::uint32_t panels_of_leaf = 0;  ///< 0 if there are no tiles

  WarpTables(const Subdivision& cut, std::uint64_t first_regions, bool tiles)
      : first(static_cast<std::uint32_t>(first_regions)) {
    std::uint32_t of_level = first;
    for (std::uint32_t level = 0; level < cut.levels; ++level, of_level *= cut.r * cut.r) {
      upper = all;
      all += of_level;
    }
    if (tiles) panels_of_leaf = panels_of(largest_region(cut, cut.levels - 1));
  }

  LOOM_HOST_DEVICE std::uint32_t panels() const { return (all - upper) * panels_of_leaf; }

  // Open work has a bit for each split (the borders of its children), then for each panel (its lines), each
  // leaf (its inside) and each panel (the insides of its open tiles). The first two kinds are urgent: other
  // work follows from them.
  LOOM_HOST_DEVICE std::uint32_t first_lines_bit() const { return upper; }
  LOOM_HOST_DEVICE std::uint32_t first_inside_bit() const { return first_lines_bit() + panels(); }
  LOOM_HOST_DEVICE std::uint32_t first_tiles_bit() const { return first_inside_bit() + all - upper; }
  LOOM_HOST_DEVICE std::uint32_t bits() const { return first_tiles_bit() + panels(); }

  /// The size of all tables, in words of 64 bits: the regions' states, the panels' states, the bits.
  std::uint64_t words() const {
    return all + std::uint64_t{panels()} * (sizeof(PanelState) / sizeof(std::uint64_t)) + (bits() + 63) / 64;
  }
  LOOM_HOST_DEVICE RegionState* region_states(std::uint64_t* tables) const {
    return reinterpret_cast<RegionState*>(tables);
  }
  LOOM_HOST_DEVICE PanelState* panel_states(std::uint64_t* tables) const {
    return reinterpret_cast<PanelState*>(tables + all);
  }
  LOOM_HOST_DEVICE std::uint32_t* open_bits(std::uint64_t* tables) const {
    return reinterpret_cast<std::uint32_t*>(panel_states(tables) + panels());
  }
};
static_assert(sizeof(RegionState) == sizeof(std::uint64_t));
static_assert(sizeof(PanelState) % sizeof(std::uint64_t) == 0);

/// 32 pixels are the work of a warp.
LOOM_HOST_DEVICE std::uint32_t chunks_of(std::uint64_t pixels) {
  return static_cast<std::uint32_t>((pixels + 31) / 32);
}

/// Chunks of the largest border of a level.
LOOM_HOST_DEVICE std::uint32_t border_chunks(const Subdivision& cut, std::uint32_t level) {
  return chunks_of(border_size(largest_region(cut, level)));
}

/// The pixels on the lines of a panel that are not on the leaf's border: those of the lines across, then
/// those between them on the lines down.
class PanelLines {
 public:
  LOOM_HOST_DEVICE PanelLines(const Region& leaf, const Region& panel)
      : panel_(panel), left_(panel.x == leaf.x), top_(panel.y == leaf.y) {
    const std::uint32_t right = panel.x + panel.width == leaf.x + leaf.width;
    const std::uint32_t bottom = panel.y + panel.height == leaf.y + leaf.height;
    const std::uint32_t rows = tiles_on(panel.height);
    width_ = panel.width - left_ - right;
    down_ = tiles_on(panel.width) + 1 - left_ - right;
    across_ = (rows + 1 - top_ - bottom) * width_;
    size_ = across_ + (panel.height - rows - 1) * down_;
  }
  LOOM_HOST_DEVICE std::uint32_t size() const { return size_; }
  /// Pixel i < size().
  LOOM_HOST_DEVICE Coord32 pixel(std::uint32_t i) const {
    if (i < across_) {
      const std::uint32_t row = i / width_;
      return {panel_.x + left_ + i - row * width_, panel_.y + tile_line(panel_.height, row + top_)};
    }
    const std::uint32_t row = (i - across_) / down_;
    const std::uint32_t column = i - across_ - row * down_;
    return {panel_.x + tile_line(panel_.width, column + left_), panel_.y + row + row / (kTile - 1) + 1};
  }

 private:
  Region panel_;
  std::uint32_t left_;  ///< 1 if the panel's first column is on the leaf's border
  std::uint32_t top_;
  std::uint32_t width_;
  std::uint32_t down_;    ///< lines down
  std::uint32_t across_;  ///< pixels on lines across
  std::uint32_t size_;
};

}  // namespace loom::cuda
