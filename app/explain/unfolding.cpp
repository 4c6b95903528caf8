#include "app/explain/unfolding.h"

#include <algorithm>

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
    for (std::size_t i = 0; i < tiles_; ++i) {
      const Coord64 of = omega(i);
      const Coord64 within = lambda_map(transform, stage, of);
      places_.push_back({of.x / taken.x * side.x + within.x, of.y / taken.y * side.y + within.y});
    }
    if (stage == levels) break;
    const NbbShape& next = tiled.coarse_shape(stage + 1);
    (stage % 2 == 0 ? taken.x : taken.y) *= next.k;
    side = {side.x * next.s_x, side.y * next.s_y};
  }
}

}  // namespace loom::app::explain
