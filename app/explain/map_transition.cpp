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
  const int levels = tiled.coarse_level;
  const auto rectangles = [&](int fine) {
    std::uint64_t count = 1;
    for (int level = fine + 1; level <= levels; ++level)
      count = saturating_multiply(count, tiled.coarse_shape(level).k);
    return count;
  };
  // The finer levels are within a rectangle.
  int fine = 0;
  while (rectangles(fine) > kMaxTiles) ++fine;
  Coord64 group{1, 1};  // tiles of a rectangle in the grid
  Coord64 side{1, 1};   // in the square
  for (int level = 1; level <= fine; ++level) {
    const NbbShape& shape = tiled.coarse_shape(level);
    (level % 2 == 1 ? group.x : group.y) *= shape.k;
    side = {side.x * shape.s_x, side.y * shape.s_y};
  }
  grid_ = {tiled.orthotope_x / group.x, tiled.orthotope_y / group.y};
  square_ = {tiled.grid_x / side.x, tiled.grid_y / side.y};
  const NbbTransform<std::uint64_t> transform(tiled.shape, tiled.levels, levels);
  for (std::uint64_t y = 0; y < grid_.y; ++y) {
    for (std::uint64_t x = 0; x < grid_.x; ++x) {
      omegas_.push_back({x, y});
      const Coord64 place = lambda_map(transform, levels, Coord64{x * group.x, y * group.y});
      places_.push_back({place.x / side.x, place.y / side.y});
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
