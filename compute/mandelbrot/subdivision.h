#pragma once

#include <cstdint>

#include "compute/core/host_device.h"
#include "compute/mandelbrot/mandelbrot_config.h"
#include "compute/mandelbrot/mirror.h"
#include "compute/mandelbrot/region.h"

namespace loom {

/// The regions of each level. Level i divides the image into parts x parts regions, parts = g r^i,
/// with edges at floor(k width / parts) and floor(k height / parts): nested, of nearly equal size and within
/// the image for any side lengths. If parts exceeds a side, some regions are empty. For powers of two these
/// are the regions of the published form.
struct Subdivision {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::uint32_t r = 2;
  std::uint32_t levels = 1;       ///< regions of the last level do not split
  std::uint32_t first_parts = 1;  ///< g
  std::uint32_t first_rows = 1;   ///< rows of first regions: g, or g / 2 for a mirrored image
  friend bool operator==(const Subdivision&, const Subdivision&) = default;
  LOOM_HOST_DEVICE bool mirrored() const { return first_rows < first_parts; }
  LOOM_HOST_DEVICE std::uint64_t first_regions() const { return std::uint64_t{first_parts} * first_rows; }
};

/// The levels: level i splits if and only if max(width, height) / (g r^i) / r > B.
inline Subdivision make_subdivision(const MandelbrotConfig& config, const MandelbrotView& view) {
  Subdivision cut{view.width, view.height, config.r, 1, config.g, config.g};
  if (is_mirrored(config, view)) cut.first_rows /= 2;
  const std::uint64_t side = view.width > view.height ? view.width : view.height;
  std::uint64_t parts = config.g;
  while (side > parts * config.r * config.b) {
    parts *= config.r;
    ++cut.levels;
  }
  return cut;
}

/// g r^level; at most 2^20, or g.
LOOM_HOST_DEVICE std::uint32_t parts_at(const Subdivision& cut, std::uint32_t level) {
  std::uint32_t parts = cut.first_parts;
  for (std::uint32_t i = 0; i < level; ++i) parts *= cut.r;
  return parts;
}

/// The beginning of part `index` <= parts of an axis.
LOOM_HOST_DEVICE std::uint32_t part_edge(std::uint32_t side, std::uint32_t parts, std::uint32_t index) {
  return static_cast<std::uint32_t>(std::uint64_t{index} * side / parts);
}

/// The region in column `x` and row `y` < parts of a level with `parts` regions on each axis.
LOOM_HOST_DEVICE Region region_at(const Subdivision& cut, std::uint32_t parts, std::uint32_t x,
                                  std::uint32_t y) {
  const std::uint32_t left = part_edge(cut.width, parts, x);
  const std::uint32_t top = part_edge(cut.height, parts, y);
  return {left, top, part_edge(cut.width, parts, x + 1) - left, part_edge(cut.height, parts, y + 1) - top};
}

/// Whether a region with this uniform border dwell is filled.
LOOM_HOST_DEVICE bool may_fill(FillRule rule, std::uint32_t dwell, std::uint32_t limit) {
  return rule == FillRule::kUniform || dwell == limit;
}

/// The tiles of a leaf: a leaf is divided into panels of kPanel x kPanel pixels (smaller at its end), and a
/// panel by lines that are kTile pixels apart and at its end. The lines are computed and shared by the tiles
/// on both sides; a tile with a uniform border is filled, any other tile is computed.
inline constexpr std::uint32_t kPanel = 64;
inline constexpr std::uint32_t kTile = 8;

/// Tiles on an axis of a panel of `side` pixels: one fewer than lines.
LOOM_HOST_DEVICE std::uint32_t tiles_on(std::uint32_t side) {
  return side <= 1 ? 0 : (side - 1 + kTile - 1) / kTile;
}
/// The position of line `index` <= tiles_on(side): every kTile pixels, the last line at the end.
LOOM_HOST_DEVICE std::uint32_t tile_line(std::uint32_t side, std::uint32_t index) {
  const std::uint32_t at = index * kTile;
  return at < side - 1 ? at : side - 1;
}

}  // namespace loom
