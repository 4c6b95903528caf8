#include "app/workspaces/life/scene/thread_explanation.h"

#include <utility>

#include "app/explain/memory.h"
#include "app/widgets/picture.h"
#include "compute/core/error.h"
#include "compute/map/dispatch.h"

namespace loom::app {

void ThreadExplanation::look_at(const FractalConfig& config, const std::optional<Coord64>& point) {
  if (!explain::has_tiles(config)) {
    space_.reset();
    thread_.reset();
    point_ = point;
    problem_ = point ? std::string(explain::kByteStorageOnly) : std::string();
    return;
  }
  const bool other_config = point && (!space_ || space_->config() != config);
  if (!other_config && point == point_) return;
  if (other_config) space_ = std::make_unique<explain::ThreadSpace>(config);
  point_ = point;
  thread_.reset();
  problem_.clear();
  if (point_) compute_explanation();
}

void ThreadExplanation::compute_explanation() {
  const NbbFractal& fractal = space_->config().fractal;
  const int level = space_->config().level;
  if (point_->x >= fractal.width(level) || point_->y >= fractal.height(level)) {
    problem_ = "outside the square";
    return;
  }
  const auto ref = space_->thread_at(*point_);
  if (!ref) {
    problem_ = "No thread is launched for this hole.";
    return;
  }
  Thread thread{.place = space_->location_of(*ref),
                .sentence = space_->sentence(*ref),
                .warp = space_->warp_of(*ref),
                .lanes = {},
                .tile = space_->locations_in_tile(ref->tile),
                .lambda = {},
                .traffic = {}};
  if (space_->config().method.map != MapKind::kBoundingBox) {
    thread.lambda = explain::lambda_steps(*space_, ref->tile);
  }
  thread.lanes = space_->locations_of(thread.warp);
  try {
    thread.traffic = explain::warp_memory_access(*space_, *ref).traffic();
  } catch (const InputError&) {
    // Byte addresses exceed 64 bits: no memory accesses are shown.
  }
  thread_ = std::move(thread);
}

std::optional<Coord64> selected_point(LifeEdit& edit, const FractalConfig& config, Coord64 tile,
                                      const std::optional<Coord64>& under_cursor, bool clicked) {
  LifeSettings& settings = edit.settings;
  std::optional<Coord64>& pinned = settings.pinned;
  const std::uint64_t width = config.fractal.width(config.level);
  const std::uint64_t height = config.fractal.height(config.level);
  if (!settings.show_thread) pinned.reset();
  if (pinned && (pinned->x >= width || pinned->y >= height)) pinned.reset();
  // A lesson's point stays pinned; Escape then closes other things.
  if (pinned && pinned != settings.lesson_point && std::exchange(edit.shell.commands.dismiss, false))
    pinned = settings.lesson_point;
  if (pinned) {
    ViewCommands& view = edit.shell.view;
    *pinned = moved_within(*pinned, std::exchange(view.pan, {}), {1, 1}, {width, height});
    *pinned = moved_within(*pinned, std::exchange(view.large_pan, {}), tile, {width, height});
  }
  if (!settings.show_thread) return std::nullopt;
  if (clicked && !settings.edit_cells && under_cursor) pinned = under_cursor;
  return pinned ? pinned : under_cursor;
}

TileGrid::TileGrid(const FractalConfig& config)
    : tiled_(make_tiled_fractal(config.fractal, config.level, config.tile_size)),
      map_(config.method.map),
      intra_block_(config.method.intra_block),
      fractal_(config.fractal),
      transform_(tiled_.shape, tiled_.levels, tiled_.level),
      grid_transform_(tiled_.shape, tiled_.levels, tiled_.coarse_level) {}

LaunchShape TileGrid::launch_shape(MapKind map) const {
  return loom::launch_shape({.map = map, .intra_block = intra_block_}, tiled_);
}

LaunchCount TileGrid::launch_count(MapKind map) const {
  const LaunchShape shape = launch_shape(map);
  return {.tiles = shape.tiles(),
          .occupied_tiles = tiled_.orthotope_tiles(),
          .threads = shape.threads(),
          .launched = shape.threads(),
          .cells = tiled_.cells};
}

std::optional<PointInfo> TileGrid::place_at(std::int64_t x, std::int64_t y) const {
  const Coord64 cell{static_cast<std::uint64_t>(x), static_cast<std::uint64_t>(y)};
  if (x < 0 || y < 0 || cell.x >= tiled_.width || cell.y >= tiled_.height) return std::nullopt;
  PointInfo place{.cell = cell,
                  .tile = {cell.x / tiled_.rho_x, cell.y / tiled_.rho_y},
                  .is_cell = is_member(transform_, tiled_.level, cell),
                  .omega = std::nullopt,
                  .thread = std::nullopt};
  const auto compact = nu_map(grid_transform_, tiled_.coarse_level, place.tile);
  if (compact.present) place.omega = compact.omega;
  place.thread = thread_for(place);
  return place;
}

std::optional<Coord32> TileGrid::thread_for(const PointInfo& place) const {
  Coord32 position{static_cast<std::uint32_t>(place.cell.x % tiled_.rho_x),
                   static_cast<std::uint32_t>(place.cell.y % tiled_.rho_y)};
  if (map_ == MapKind::kBoundingBox) return position;
  if (!place.omega) return std::nullopt;
  if (tiled_.is_turned()) {
    const auto symmetry = symmetry_at(grid_transform_, tiled_.coarse_level, place.tile);
    position = apply(inverse(symmetry), position, tiled_.rho_x);
  }
  if (intra_block_ == IntraBlock::kSubBox) return position;
  if (!place.is_cell) return std::nullopt;
  if (intra_block_ == IntraBlock::kUnrolled) {
    return UnrolledThreads(tiled_).thread_at(position);
  }
  const auto table = tile_cell_table(tiled_);
  return LookupThreads(tiled_, table.data()).thread_at(position);
}

}  // namespace loom::app
