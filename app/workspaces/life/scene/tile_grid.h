#pragma once

#include <cstdint>
#include <optional>

#include "compute/core/coord.h"
#include "compute/engine/fractal_engine.h"
#include "compute/engine/thread_utilization.h"
#include "compute/geometry/tiled_fractal.h"
#include "compute/geometry/transforms.h"
#include "compute/map/thread_map.h"

namespace loom::app {

/// The launch of one generation in numbers.
struct LaunchCount {
  std::uint64_t tiles = 0;
  std::uint64_t occupied_tiles = 0;  ///< tiles with at least one cell
  std::uint64_t threads = 0;         ///< of these tiles
  std::uint64_t launched = 0;        ///< all threads, with those that have no tile
  std::uint64_t cells = 0;           ///< active threads
  std::uint64_t empty_tiles() const { return tiles - occupied_tiles; }
  double utilization() const { return thread_utilization(cells, launched); }
};

/// A point of the picture: its cell, and the thread that computes it.
struct PointInfo {
  Coord64 cell;  ///< expanded coordinate
  Coord64 tile;  ///< tile position in the square
  bool is_cell = false;
  std::optional<Coord64> omega;   ///< tile index; nothing for an empty tile
  std::optional<Coord32> thread;  ///< thread of the point, within its tile; nothing if none is launched
};

/// The fractal divided into tiles, for overlays and panels; uses the same functions as the engines.
class TileGrid {
 public:
  explicit TileGrid(const FractalConfig& config);

  const TiledFractal& tiled() const { return tiled_; }
  bool holds_cells(Coord64 tile) const { return is_member(grid_transform_, tiled_.coarse_level, tile); }
  LaunchShape launch_shape(MapKind map) const;
  LaunchCount launch_count(MapKind map) const;
  /// Nothing outside the square.
  std::optional<PointInfo> place_at(std::int64_t x, std::int64_t y) const;
  /// lambda: the tile position of the tile with index `omega`.
  Coord64 expand(Coord64 omega) const { return lambda_map(grid_transform_, tiled_.coarse_level, omega); }

 private:
  std::optional<Coord32> thread_for(const PointInfo& place) const;
  TiledFractal tiled_;
  MapKind map_;
  IntraBlock intra_block_;
  NbbFractal fractal_;  ///< owns the levels that the transforms read
  NbbTransform<std::uint64_t> transform_;
  NbbTransform<std::uint64_t> grid_transform_;  ///< of tile coordinates
};

}  // namespace loom::app
