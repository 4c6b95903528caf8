#include "app/explain/thread_block_tiles.h"

#include <algorithm>
#include <iterator>
#include <type_traits>

#include "app/explain/index_width.h"
#include "compute/geometry/storage.h"
#include "compute/map/dispatch.h"

namespace loom::app::explain {
namespace {

/// The position of a tile of the map; for compact storage also the offsets of its neighbours.
template <typename Map, typename Storage>
PlacedTile find_tile(const Map& map, const Storage& storage, Coord64 omega64) {
  using Int = typename Map::Index;
  const auto omega = narrowed<Int>(omega64);
  const Coord<Int> place = map.place(omega);
  PlacedTile tile;
  std::fill(std::begin(tile.neighbours.base), std::end(tile.neighbours.base), kNoIndex);
  tile.there = has_place(map, place);
  tile.origin = storage.tile_origin(omega, place);
  tile.corner = widened(cell_in_tile(map.tiled, place, {0, 0}));
  if (!tile.there) return tile;
  if constexpr (std::is_same_v<Storage, TiledCompactStorage<Int>>) {
    for (std::uint32_t which = 0; which < 9; ++which) {
      tile.neighbours.base[which] =
          which == 4 ? tile.origin : neighbour_base(storage, map.arithmetic, place, which);
    }
  }
  return tile;
}

}  // namespace

std::vector<PlacedTile> tiles_of(const ThreadSpace& space, Coord64 thread_block) {
  const Tiling& tiling = space.launch().tiling;
  std::vector<PlacedTile> tiles(tiling.tiles());
  with_kernel_map(space.config().method, space.tiled(), space.tables().view(),
                  [&](const auto& map, const auto& storage) {
                    for (std::uint32_t i = 0; i < tiling.tiles(); ++i) {
                      const Coord64 omega{thread_block.x * tiling.x + i % tiling.x,
                                          thread_block.y * tiling.y + i / tiling.x};
                      if (omega.x >= space.shape().tiles_x || omega.y >= space.shape().tiles_y) continue;
                      tiles[i] = find_tile(map, storage, omega);
                    }
                  });
  return tiles;
}

}  // namespace loom::app::explain
