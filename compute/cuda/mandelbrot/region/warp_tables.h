#pragma once

#include <cstdint>

#include "compute/core/host_device.h"
#include "compute/cuda/mandelbrot/region/region_parts.h"
#include "compute/mandelbrot/mandelbrot_config.h"
#include "compute/mandelbrot/region.h"
#include "compute/mandelbrot/subdivision.h"

namespace loom::cuda {

// The tables of ASK by warps (ask_warps.cuh). They all start at 0.

/// 32 pixels are the work of a warp.
LOOM_HOST_DEVICE std::uint32_t chunks_of(std::uint64_t pixels) {
  return static_cast<std::uint32_t>((pixels + 31) / 32);
}

/// Chunks of the largest border of a level.
LOOM_HOST_DEVICE std::uint32_t border_chunks(const Subdivision& cut, std::uint32_t level) {
  return chunks_of(border_size(largest_region(cut, level)));
}

/// Whether ASK by warps may compute leaves by tiles. If only the interior is filled, the leaves with
/// something to fill have pixels that reach the limit; these are slow, and lines before tiles would add a
/// wait for them.
inline bool warps_use_tiles(const MandelbrotOptimisations& optimisations, FillRule fill) {
  return optimisations.tiles && fill == FillRule::kUniform;
}

/// The state of a region's border: its computed chunks, those of them that differ in dwells, and flags.
struct BorderState {
  static constexpr std::uint64_t kTiles = std::uint64_t{1} << 63;  ///< the leaf is computed by tiles
  static constexpr std::uint64_t kBegun = std::uint64_t{1} << 62;  ///< the first chunk is computed
  static constexpr std::uint64_t kDiffering = std::uint64_t{1} << 31;
  static constexpr std::uint64_t kAnyDiffering = kBegun - kDiffering;
  static constexpr std::uint64_t kChunks = kDiffering - 1;
  /// Whether the work that follows from the border can begin: the border is known not to be uniform, and it
  /// is decided whether a leaf is computed by tiles.
  LOOM_HOST_DEVICE static bool is_open(std::uint64_t state) {
    return (state & kAnyDiffering) != 0 && (state & kBegun) != 0;
  }
};

/// The state of a panel of a leaf that is computed by tiles.
struct PanelState {
  std::uint64_t open;    ///< a bit for each tile that is not filled; written once
  std::uint32_t events;  ///< computed chunks of its lines, the leaf's opening, the leaf's border
};

/// A chunk in a queue: part (3 bits), number of the region or panel (29), chunk (32). Parts are not 0. For a
/// border, the number is that of the parent, and the chunk is the border's times the number of children, plus
/// the child.
struct QueuedChunk {
  static constexpr std::uint64_t kEnd = ~std::uint64_t{0};  ///< no more work
  LOOM_HOST_DEVICE static bool is_work(std::uint64_t entry) { return entry != 0 && entry != kEnd; }
  static constexpr int kPartShift = 61;
  static constexpr int kNumberShift = 32;
  LOOM_HOST_DEVICE static std::uint64_t pack(std::uint32_t part, std::uint32_t number, std::uint32_t chunk) {
    return std::uint64_t{part} << kPartShift | std::uint64_t{number} << kNumberShift | chunk;
  }
  LOOM_HOST_DEVICE static std::uint32_t part(std::uint64_t entry) {
    return static_cast<std::uint32_t>(entry >> kPartShift);
  }
  LOOM_HOST_DEVICE static std::uint32_t number(std::uint64_t entry) {
    return static_cast<std::uint32_t>(entry << (64 - kPartShift) >> (64 - kPartShift + kNumberShift));
  }
  LOOM_HOST_DEVICE static std::uint32_t chunk(std::uint64_t entry) {
    return static_cast<std::uint32_t>(entry);
  }
};

/// The numbers of regions and panels, and the layout of the tables. Regions of all levels are numbered: those
/// of the first level, then the r x r children of each of them in order, and so on. Panels are numbered leaf
/// by leaf.
struct WarpTables {
  /// Warps of the kernel; each may wait at a place beyond the last work.
  static constexpr std::uint32_t kMostWarps = 1 << 14;

  std::uint32_t first = 0;           ///< regions of the first level
  std::uint32_t upper = 0;           ///< regions of all levels but the last one
  std::uint32_t all = 0;             ///< regions
  std::uint32_t panels_of_leaf = 0;  ///< 0 if there are no tiles
  std::uint64_t queue_places = 0;    ///< chunks that the queue can hold, and those beyond its end
  std::uint64_t early_places = 0;    ///< the same for the queue of slow leaves

  /// `tiles`: whether leaves may be computed by tiles.
  WarpTables(const Subdivision& cut, std::uint64_t first_regions, bool tiles)
      : first(static_cast<std::uint32_t>(first_regions)), queue_places(kMostWarps), early_places(kMostWarps) {
    std::uint32_t of_level = first;
    for (std::uint32_t level = 0; level < cut.levels; ++level, of_level *= cut.r * cut.r) {
      upper = all;
      all += of_level;
      if (level != 0) queue_places += std::uint64_t{of_level} * border_chunks(cut, level);
    }
    const Region leaf = largest_region(cut, cut.levels - 1);
    if (tiles) panels_of_leaf = panels_of(leaf);
    const std::uint64_t chunks = std::uint64_t{all - upper} * chunks_of(leaf.area());
    // The last chunk of a panel's lines and of its tiles may be incomplete.
    queue_places += chunks + 2 * std::uint64_t{panels()};
    early_places += chunks;
  }

  LOOM_HOST_DEVICE std::uint32_t panels() const { return (all - upper) * panels_of_leaf; }

  /// The size of all tables, in words of 64 bits: the queues, the panels' states, the borders' states.
  std::uint64_t words() const {
    return queue_places + early_places +
           std::uint64_t{panels()} * (sizeof(PanelState) / sizeof(std::uint64_t)) + all;
  }
  LOOM_HOST_DEVICE std::uint64_t* queue(std::uint64_t* tables) const { return tables; }
  LOOM_HOST_DEVICE std::uint64_t* early_queue(std::uint64_t* tables) const { return tables + queue_places; }
  LOOM_HOST_DEVICE PanelState* panel_states(std::uint64_t* tables) const {
    return reinterpret_cast<PanelState*>(tables + queue_places + early_places);
  }
  LOOM_HOST_DEVICE std::uint64_t* border_states(std::uint64_t* tables) const {
    return reinterpret_cast<std::uint64_t*>(panel_states(tables) + panels());
  }
};
static_assert(sizeof(PanelState) % sizeof(std::uint64_t) == 0);

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
