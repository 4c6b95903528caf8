#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/explain/map_steps.h"
#include "app/explain/thread_space.h"
#include "app/explain/warp_memory_access.h"
#include "app/workspaces/life/scene/life_settings.h"
#include "compute/core/coord.h"
#include "compute/engine/fractal_config.h"
#include "compute/engine/fractal_engine.h"
#include "compute/engine/thread_count.h"
#include "compute/geometry/tiled_fractal.h"
#include "compute/geometry/transforms.h"
#include "compute/map/thread_map.h"

namespace loom::app {

/// Describes the thread that is launched for a point of the square: its position, the steps of lambda for its
/// tile, and the memory accesses of its warp. Updated when the point or the configuration changes, without an
/// engine, in well under a millisecond.
class ThreadExplanation {
 public:
  /// Selects a point; without one, nothing is explained.
  void look_at(const FractalConfig& config, const std::optional<Coord64>& point);

  struct Thread {
    explain::ThreadLocation place;
    std::string sentence;
    explain::Warp warp;
    /// The threads in the lanes of the warp.
    std::array<std::optional<explain::ThreadLocation>, explain::kWarpLanes> lanes;
    std::vector<explain::ThreadLocation> tile;    ///< threads of its tile
    std::optional<explain::LambdaSteps> lambda;   ///< for lambda and compact
    std::optional<explain::WarpTraffic> traffic;  ///< of the warp; nothing if addresses exceed 64 bits
  };
  const std::optional<Coord64>& point() const { return point_; }
  /// Nothing if no thread is launched for the point.
  const std::optional<Thread>& thread() const { return thread_; }
  /// Why no thread is explained; empty if one is, or without a point.
  const std::string& problem() const { return problem_; }
  /// The threads of the launch with their warps and tiles; null before a point was selected.
  const explain::ThreadSpace* space() const { return space_.get(); }

 private:
  void compute_explanation();

  std::unique_ptr<explain::ThreadSpace> space_;
  std::optional<Coord64> point_;
  std::optional<Thread> thread_;
  std::string problem_;
};

/// The point whose thread is explained: the pinned point, otherwise the one under the cursor. A click pins
/// the point under the cursor (in edit mode it paints), arrow keys move the pinned point instead of the view,
/// Escape unpins it or returns to the point of the lesson. A point outside the square is unpinned.
/// `tile`: the size of a tile, by which Shift with an arrow key moves.
std::optional<Coord64> selected_point(LifeEdit& edit, const FractalConfig& config, Coord64 tile,
                                      const std::optional<Coord64>& under_cursor, bool clicked);

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
