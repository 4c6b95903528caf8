#include "app/explain/map_transition.h"

#include <glm/common.hpp>

#include "app/explain/show_me.h"
#include "compute/core/integer_math.h"
#include "compute/geometry/transforms.h"

namespace loom::app::explain {
namespace {

enum class Place { kSquare, kGrid };

Place launch_place(MapKind map) {
  return map == MapKind::kBoundingBox ? Place::kSquare : Place::kGrid;
}

Place memory_place(MapKind map) {
  return map == MapKind::kCompact ? Place::kGrid : Place::kSquare;
}

glm::vec2 units(Coord64 at) {
  return {static_cast<float>(at.x), static_cast<float>(at.y)};
}

}  // namespace

MapTransition::MapTransition(const TiledFractal& tiled, MapKind from, MapKind to)
    : in_memory_(launch_place(from) == launch_place(to)),
      to_grid_((in_memory_ ? memory_place(to) : launch_place(to)) == Place::kGrid) {
  // Two levels at a time, because levels act on x and y in turn.
  int levels = tiled.coarse_level;
  while (levels >= 2 && checked_power(tiled.shape.k, levels).value_or(kMaxTiles + 1) > kMaxTiles) levels -= 2;
  square_ = grid_ = {1, 1};
  for (int level = 0; level < levels; ++level) {
    square_ = {square_.x * tiled.shape.s_x, square_.y * tiled.shape.s_y};
    (level % 2 == 0 ? grid_.x : grid_.y) *= tiled.shape.k;
  }
  const NbbTransform<std::uint64_t> transform(tiled.shape);
  for (std::uint64_t y = 0; y < grid_.y; ++y) {
    for (std::uint64_t x = 0; x < grid_.x; ++x) {
      omegas_.push_back({x, y});
      places_.push_back(lambda_map(transform, levels, Coord64{x, y}));
    }
  }
}

float MapTransition::grid_share(double seconds) const {
  const double share = eased(seconds / kSeconds);
  return static_cast<float>(to_grid_ ? share : 1 - share);
}

MapTransition::Box MapTransition::tile(std::size_t i, double seconds, const Box& square,
                                       const Box& grid) const {
  const float share = grid_share(seconds);
  const glm::vec2 square_unit = square.size / units(square_);
  const glm::vec2 grid_unit = grid.size / units(grid_);
  return {glm::mix(square.corner + units(places_[i]) * square_unit,
                   grid.corner + units(omegas_[i]) * grid_unit, share),
          glm::mix(square_unit, grid_unit, share)};
}

}  // namespace loom::app::explain
