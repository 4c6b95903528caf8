#include "app/explain/show_me.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <glm/common.hpp>

#include "app/text/format.h"
#include "compute/core/error.h"
#include "compute/engine/thread_count.h"

namespace loom::app::explain {
namespace {

constexpr std::uint64_t kMostGridTiles = 260;
constexpr std::uint64_t kMostPoints = 4200;

/// A level and tile size at which every tile and every cell can be seen.
FractalConfig visible_config(const NbbFractal& fractal, MapKind map) {
  FractalConfig config{.fractal = fractal, .level = 2, .tile_size = 1};
  config.method.map = map;
  config.method.tiles = 1;
  const auto points = [&](int level) { return fractal.width(level) * fractal.height(level); };
  if (points(1) > kMostPoints) {
    throw InputError(fmt::format("the generator of this fractal has {} points; Show me draws at most {}",
                                 points(1), kMostPoints));
  }
  int coarse = 1;
  int tile_levels = points(2) <= kMostPoints && points(1) <= kMaxBlockThreads ? 1 : 0;
  while (points(coarse + 1) <= kMostGridTiles) ++coarse;
  while (tile_levels > 0 && points(coarse + tile_levels + 1) <= kMostPoints &&
         points(tile_levels + 1) <= kMaxBlockThreads && tile_levels < 2)
    ++tile_levels;
  config.level = coarse + tile_levels;
  config.tile_size = static_cast<std::uint32_t>(fractal.width(tile_levels));
  return config;
}

glm::dvec2 of(Coord64 place) {
  return {static_cast<double>(place.x), static_cast<double>(place.y)};
}

}  // namespace

double eased(double share) {
  const double x = std::clamp(share, 0.0, 1.0);
  return x * x * (3 - 2 * x);
}

ShowMe::ShowMe(const NbbFractal& fractal)
    : box_(std::make_unique<ThreadSpace>(visible_config(fractal, MapKind::kBoundingBox))),
      lambda_(std::make_unique<ThreadSpace>(visible_config(fractal, MapKind::kLambda))),
      compact_(std::make_unique<ThreadSpace>(visible_config(fractal, MapKind::kCompact))),
      unfolding_(std::make_unique<Unfolding>(*lambda_)) {
  const std::uint64_t count = fractal.cells(lambda_->config().level);
  for (std::uint64_t index = 0; index < count; ++index) {
    const Coord64 point = compact_->cell_by_index(index);
    const auto ref = compact_->thread_of(point);
    const ThreadLocation location = compact_->location_of(*ref);
    cells_.push_back({point, *location.address});
  }
  // In memory order, so that cells leave row by row.
  std::ranges::sort(cells_, {}, &Cell::byte);
  marked_tile_ = unfolding_->tiles() * 5 / 8;
  add_holes();
  choose_neighbours();
  add_chapters();
}

void ShowMe::add_holes() {
  const TiledFractal& tiled = box_->tiled();
  for (std::uint64_t y = 0; y < box_->shape().tiles_y; ++y) {
    for (std::uint64_t x = 0; x < box_->shape().tiles_x; ++x) {
      BoxTile tile{.corner = {x * tiled.rho_x, y * tiled.rho_y}};
      for (const ThreadLocation& thread : box_->locations_in_tile({x, y})) {
        if (thread.has_cell) tile.has_cells = true;
        if (!thread.has_cell) holes_.push_back(thread.cell);
      }
      box_tiles_.push_back(tile);
    }
  }
}

// Two neighbours in the square whose bytes are as far apart as any.
void ShowMe::choose_neighbours() {
  std::uint64_t farthest = 0;
  constexpr std::array<Coord64, 3> kForward = {Coord64{1, 0}, Coord64{0, 1}, Coord64{1, 1}};
  for (std::size_t a = 0; a < cells_.size(); ++a) {
    for (const Coord64& step : kForward) {
      const Coord64 point{cells_[a].point.x + step.x, cells_[a].point.y + step.y};
      if (point.x >= compact_->tiled().width || point.y >= compact_->tiled().height) continue;
      const auto ref = compact_->thread_of(point);
      if (!ref) continue;
      const std::uint64_t byte = *compact_->location_of(*ref).address;
      const std::uint64_t bytes = std::max(byte, cells_[a].byte) - std::min(byte, cells_[a].byte);
      if (bytes <= farthest) continue;
      farthest = bytes;
      centre_ = a;
      neighbour_ =
          static_cast<std::size_t>(std::ranges::lower_bound(cells_, byte, {}, &Cell::byte) - cells_.begin());
    }
  }
}

void ShowMe::add_chapters() {
  const NbbFractal& fractal = lambda_->config().fractal;
  const TiledFractal& tiled = lambda_->tiled();
  const std::uint64_t threads = *box_->threads();
  const std::uint64_t cells = cells_.size();
  const LaunchShape& launch = lambda_->shape();
  const std::uint64_t box_bytes = *box_->bytes();
  const std::uint64_t compact_bytes = *compact_->bytes();
  const auto add = [&](Scene scene, double seconds, std::string title, std::string sentence) {
    const double begin = chapters_.empty() ? 0 : chapters_.back().end;
    chapters_.push_back({scene, begin, begin + seconds, std::move(title), std::move(sentence)});
  };
  add(Scene::kFractal, 6, "A fractal in a square",
      fmt::format("The {} at level {} has {} cells in a square of {} × {} points.", fractal.name(),
                  lambda_->config().level, format_count(cells), tiled.width, tiled.height));
  add(Scene::kBoundingBox, 8, "Bounding box",
      fmt::format("The bounding box launches a thread for every point: {} threads in {} tiles of {} × {}.",
                  format_count(threads), format_count(tiled.grid_x * tiled.grid_y), tiled.rho_x,
                  tiled.rho_y));
  add(Scene::kIdleThreads, 8, "Idle threads",
      fmt::format("{} of {} threads have no cell and are idle: thread utilization {}. Now they fade.",
                  format_count(threads - cells), format_count(threads),
                  format_percent(thread_utilization(cells, threads))));
  add(Scene::kLaunch, 8, "λ: a launch without empty tiles",
      fmt::format("λ launches only the {} tiles that have cells, as a grid of {} × {} tiles.",
                  format_count(unfolding_->tiles()), launch.tiles_x, launch.tiles_y));
  add(Scene::kUnfold, 14, "λ unfolds level by level",
      "At each level, a digit of the tile index selects a replica, and its offset is added to the position.");
  add(Scene::kMemory, 8, "Compact memory",
      fmt::format("Compact stores only these tiles: {} instead of {} per generation.",
                  std::string_view(format_bytes(compact_bytes)), std::string_view(format_bytes(box_bytes))));
  add(Scene::kNeighbour, 8, "ν finds the neighbours",
      fmt::format("A neighbour of cell {} is cell {}: ν computes its tile, and so its byte {}.",
                  format_pair(centre().point.x, centre().point.y),
                  format_pair(neighbour().point.x, neighbour().point.y), neighbour().byte));
}

const ShowMe::Chapter& ShowMe::chapter_at(double seconds) const {
  for (const Chapter& one : chapters_) {
    if (seconds < one.end) return one;
  }
  return chapters_.back();
}

double ShowMe::progress(double seconds) const {
  const Chapter& one = chapter_at(seconds);
  return std::clamp((seconds - one.begin) / (one.end - one.begin), 0.0, 1.0);
}

namespace {

/// A pause before and after a movement, so that its ends can be seen.
double moved(double progress) {
  return eased((progress - 0.15) / 0.7);
}

/// The stage of an unfolding and the share of the movement to the next one.
struct StageShare {
  int stage;
  double share;
};
StageShare stage_at(double progress, int stages) {
  const double at = std::clamp(progress, 0.0, 1.0) * stages;
  const int stage = std::min(static_cast<int>(at), std::max(stages - 1, 0));
  return {stage, eased((at - stage - 0.2) / 0.7)};
}

}  // namespace

glm::dvec2 ShowMe::tile_place(std::size_t i, double seconds) const {
  const Unfolding& plane = *unfolding_;
  const glm::dvec2 square = of(plane.place(i, plane.stages()));
  const double share = progress(seconds);
  switch (chapter_at(seconds).scene) {
    case Scene::kLaunch:
      return glm::mix(square, of(plane.omega(i)), moved(share));
    case Scene::kUnfold: {
      const StageShare at = stage_at(share, plane.stages());
      const int to = std::min(at.stage + 1, plane.stages());
      return glm::mix(of(plane.place(i, at.stage)), of(plane.place(i, to)), at.share);
    }
    default:
      return square;
  }
}

glm::dvec2 ShowMe::tile_extent(double seconds) const {
  const Unfolding& plane = *unfolding_;
  const glm::dvec2 square = of(plane.extent(plane.stages()));
  const double share = progress(seconds);
  switch (chapter_at(seconds).scene) {
    case Scene::kLaunch:
      return glm::mix(square, of(plane.extent(0)), moved(share));
    case Scene::kUnfold: {
      const StageShare at = stage_at(share, plane.stages());
      const int to = std::min(at.stage + 1, plane.stages());
      return glm::mix(of(plane.extent(at.stage)), of(plane.extent(to)), at.share);
    }
    default:
      return square;
  }
}

int ShowMe::level_at(double seconds) const {
  if (chapter_at(seconds).scene != Scene::kUnfold || unfolding_->stages() == 0) return 0;
  return stage_at(progress(seconds), unfolding_->stages()).stage + 1;
}

glm::dvec2 ShowMe::memory_place(std::uint64_t byte) const {
  const std::uint64_t row = compact_->tiled().width;
  return {static_cast<double>(byte % row), static_cast<double>(byte / row)};
}

double ShowMe::share_in_memory(std::size_t cell, double seconds) const {
  const Scene scene = chapter_at(seconds).scene;
  if (scene != Scene::kMemory) return scene == Scene::kNeighbour ? 1 : 0;
  const double start = 0.1 + 0.5 * static_cast<double>(cell) / static_cast<double>(cells_.size());
  return eased((progress(seconds) - start) / 0.25);
}

}  // namespace loom::app::explain
