#include <type_traits>

#include "compute/cuda/life.h"
#include "compute/cuda/place.cuh"
#include "compute/map/dispatch.h"
#include "compute/map/staged_tile.h"
#include "compute/workload/life_neighbours.h"

namespace loom::cuda {
namespace {

/// The rim of a tile: its position i of 2 (rho_x + rho_y) + 4, relative to the tile's corner.
__device__ __forceinline__ Coord<int> rim_position(const StagedTile& staged, int i) {
  const int width = staged.rho_x + 2;
  if (i < width) return {i - 1, -1};
  if (i < 2 * width) return {i - width - 1, staged.rho_y};
  const int side = i - 2 * width;
  return side < staged.rho_y ? Coord<int>{-1, side} : Coord<int>{staged.rho_x, side - staged.rho_y};
}

/// Copies a thread block's tiles into shared memory. In compact storage they lie one after the other, `first`
/// is the first one's byte.
__device__ __forceinline__ void stage_tiles(const TileLayout& layout, const BlockedFractal& fractal,
                                            const StagedTile& staged, std::uint32_t tiles,
                                            const std::uint8_t* __restrict__ first, std::uint8_t* shared) {
  const std::uint32_t area = fractal.block_area();
  const bool words = fractal.rho_x % 4 == 0;
  const std::uint32_t step = words ? 4 : 1;
  for (std::uint32_t i = threadIdx.x * step; i < tiles * area; i += blockDim.x * step) {
    const std::uint32_t row = layout.rho_x.divide(i);  // over all tiles
    const std::uint32_t tile = layout.rho_y.divide(row);
    std::uint8_t* const to =
        shared + tile * staged.bytes() +
        staged.at(static_cast<int>(i - row * fractal.rho_x), static_cast<int>(row - tile * fractal.rho_y));
    if (words) {
      *reinterpret_cast<std::uint32_t*>(to) = *reinterpret_cast<const std::uint32_t*>(first + i);
    } else {
      *to = first[i];
    }
  }
}

/// Life on blocked compact storage: lambda places the tiles, nu finds their neighbours, and threads read
/// across a tile's rim, through a copy in shared memory (kHalo) or each for itself.
template <bool kHalo, typename Map, typename Int>
__global__ void __launch_bounds__(kMaxBlockThreads)
    life_compact_kernel(const __grid_constant__ TileLayout layout, const __grid_constant__ Map map,
                        const __grid_constant__ BlockedCompactStorage<Int> storage,
                        const std::uint8_t* __restrict__ now, std::uint8_t* __restrict__ next,
                        LifeRule rule) {
  extern __shared__ std::uint64_t shared[];
  const BlockedFractal& fractal = map.blocked;
  const std::uint32_t tiles = layout.tiles();
  auto* const neighbours = reinterpret_cast<BlockNeighbours*>(shared);
  const TileThread<Int> mine = tile_thread(map, layout);

  find_neighbours(map, storage, layout, neighbours);
  const StagedTile staged{static_cast<int>(fractal.rho_x), static_cast<int>(fractal.rho_y)};
  auto* const copies = reinterpret_cast<std::uint8_t*>(neighbours + tiles);
  if constexpr (kHalo) {
    const std::uint8_t* const first = now + storage.block_base(block_of_tile<Int>(layout, 0));
    stage_tiles(layout, fractal, staged, tiles, first, copies);
  }
  __syncthreads();
  if constexpr (kHalo) {
    const std::uint32_t rim = 2 * (fractal.rho_x + fractal.rho_y) + 4;
    const std::uint32_t threads = layout.threads_of_tile.value();
    if (mine.tile < tiles) {
      for (std::uint32_t i = threadIdx.x - mine.tile * threads; i < rim; i += threads) {
        const Coord<int> p = rim_position(staged, static_cast<int>(i));
        copies[static_cast<int>(mine.tile) * staged.bytes() + staged.at(p.x, p.y)] =
            read_across_blocks(fractal, now, neighbours[mine.tile], p.x, p.y);
      }
    }
    __syncthreads();
  }
  if (!mine.present) return;
  const ThreadPosition position = map.position(mine.block, mine.thread);
  if (!position.present) return;
  const int x = static_cast<int>(position.at.x);
  const int y = static_cast<int>(position.at.y);
  const std::uint64_t at = storage.block_base(mine.block) + position.at.y * fractal.rho_x + position.at.x;
  if constexpr (kHalo) {
    const std::uint8_t* const own = copies + static_cast<int>(mine.tile) * staged.bytes() + staged.at(x, y);
    next[at] = next_state(rule, *own, count_in_tile(own, staged.pitch()));
  } else {
    next[at] = next_state(rule, now[at], count_across_blocks(fractal, now, neighbours[mine.tile], x, y));
  }
}

}  // namespace

void step_life_compact(const MapMethod& method, bool halo, const BlockedFractal& fractal,
                       const MapTables& tables, const std::uint8_t* now, std::uint8_t* next, LifeRule rule,
                       const Stream& stream) {
  with_map(method, fractal, tables,
           [&]<typename Map, typename Storage>(const Map& map, const Storage& storage) {
             using Int = typename Map::Index;
             if constexpr (std::is_same_v<Storage, BlockedCompactStorage<Int>>) {
               const StagedTile staged{static_cast<int>(fractal.rho_x), static_cast<int>(fractal.rho_y)};
               const std::size_t tiles = tiling_of(method, fractal).tiles();
               const std::size_t shared_bytes =
                   tiles * (sizeof(BlockNeighbours) + (halo ? static_cast<std::size_t>(staged.bytes()) : 0));
               const auto kernel =
                   halo ? life_compact_kernel<true, Map, Int> : life_compact_kernel<false, Map, Int>;
               launch_tiles(kernel, map, method, shared_bytes, stream, map, storage, now, next, rule);
             }
           });
}

}  // namespace loom::cuda
