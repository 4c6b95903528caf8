#include "app/explain/unfolding.h"

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <numbers>

#include "app/explain/show_me.h"
#include "compute/core/integer_math.h"
#include "compute/geometry/transforms.h"

namespace loom::app::explain {

Unfolding::Unfolding(const ThreadSpace& threads) {
  LaunchShape shape = threads.shape();
  const TiledFractal& tiled = threads.tiled();
  const bool identity = threads.config().method.map == MapKind::kBoundingBox;
  whole_ = saturating_multiply(shape.tiles_x, shape.tiles_y) <= kMaxTiles;
  levels_ = tiled.coarse_level;
  if (!whole_ && identity) {
    constexpr std::uint64_t kSide = 90;
    shape.tiles_x = std::min(shape.tiles_x, std::max(kSide, kMaxTiles / shape.tiles_y));
    shape.tiles_y = std::min(shape.tiles_y, kMaxTiles / shape.tiles_x);
  } else if (!whole_) {
    shape.tiles_x = shape.tiles_y = 1;
    levels_ = 0;
    while (shape.tiles_x * shape.tiles_y * tiled.coarse_shape(levels_ + 1).k <= kMaxTiles) {
      (levels_ % 2 == 0 ? shape.tiles_x : shape.tiles_y) *= tiled.coarse_shape(levels_ + 1).k;
      ++levels_;
    }
  }
  grid_x_ = shape.tiles_x;
  tiles_ = static_cast<std::size_t>(shape.tiles_x * shape.tiles_y);
  const int levels = identity ? 0 : levels_;
  const NbbTransform<std::uint64_t> transform(tiled.shape, tiled.levels, tiled.coarse_level);
  Coord64 taken{1, 1};  // divisor of omega: k for each removed digit
  Coord64 side{1, 1};   // size of the unfolded part, in tiles
  for (int stage = 0; stage <= levels; ++stage) {
    const Coord64 fields{(shape.tiles_x + taken.x - 1) / taken.x, (shape.tiles_y + taken.y - 1) / taken.y};
    extents_.push_back({fields.x * side.x, fields.y * side.y});
    sides_.push_back(side);
    taken_.push_back(taken);
    for (std::size_t i = 0; i < tiles_; ++i) {
      const Coord64 of = omega(i);
      const Coord64 within = lambda_map(transform, stage, of);
      places_.push_back({of.x / taken.x * side.x + within.x, of.y / taken.y * side.y + within.y});
    }
    if (stage == levels) break;
    const NbbShape& next = tiled.coarse_shape(stage + 1);
    for (std::size_t i = 0; tiled.is_turned() && i < tiles_; ++i) {
      const std::uint64_t digits = stage % 2 == 0 ? omega(i).x / taken.x : omega(i).y / taken.y;
      turns_.push_back(tiled.coarse_symmetry(stage + 1, static_cast<std::uint32_t>(digits % next.k)));
    }
    (stage % 2 == 0 ? taken.x : taken.y) *= next.k;
    side = {side.x * next.s_x, side.y * next.s_y};
  }
}

Unfolding::Motion Unfolding::motion(std::size_t i, int stage, double share) const {
  const auto at = static_cast<std::size_t>(stage);
  const Coord64 side = sides_[at];
  const auto centre = [&](Coord64 place) {
    return glm::dvec2{static_cast<double>(place.x / side.x * side.x) + static_cast<double>(side.x) / 2,
                      static_cast<double>(place.y / side.y * side.y) + static_cast<double>(side.y) / 2};
  };
  const Coord64 of = omega(i);
  const Coord64 taken = taken_[at];
  Motion motion{.from = centre(place(i, stage)),
                .to = {},
                .turn = glm::dmat2(1.0),
                .size = {static_cast<double>(side.x), static_cast<double>(side.y)},
                .first = of.x % taken.x == 0 && of.y % taken.y == 0};
  if (stage == stages()) {
    motion.to = motion.from;
    return motion;
  }
  motion.to = glm::mix(motion.from, centre(place(i, stage + 1)), share);
  if (turns_.empty()) return motion;
  const auto quarter_turns = [](loom::Symmetry symmetry) {
    switch (symmetry) {
      case loom::Symmetry::kRotate90:
        return 1;
      case loom::Symmetry::kRotate180:
        return 2;
      case loom::Symmetry::kRotate270:
        return -1;
      default:
        return 0;
    }
  };
  const loom::Symmetry symmetry = turns_[at * tiles_ + i];
  if (const int turns = quarter_turns(symmetry); turns != 0) {
    const double angle = turns * std::numbers::pi / 2 * share;
    motion.turn = {{std::cos(angle), std::sin(angle)}, {-std::sin(angle), std::cos(angle)}};
    return motion;
  }
  // The images of (1, 0) and (0, 1): those of (2, 1) and (1, 2) in a square of side 3, from its centre.
  const auto image = [&](Coord64 unit) {
    const Coord64 to = apply(symmetry, unit, std::uint64_t{3});
    return glm::dvec2{static_cast<double>(to.x) - 1, static_cast<double>(to.y) - 1};
  };
  const glm::dmat2 mirrored{image({2, 1}), image({1, 2})};
  motion.turn = glm::dmat2(1.0) * (1 - share) + mirrored * share;
  return motion;
}

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
