#include <type_traits>

#include "compute/cuda/launch.cuh"
#include "compute/cuda/life.h"
#include "compute/cuda/warp_arithmetic.cuh"
#include "compute/fractal/storage.h"
#include "compute/workload/life_neighbours.h"

namespace loom::cuda {
namespace {

/// The place of the calling thread's block, known to each of its threads. All threads of the block take part.
template <typename Map, typename Int>
__device__ __forceinline__ Coord<Int> place_of_block(const Map& map, Coord<Int> block, std::uint32_t rank) {
  if constexpr (Map::kComputedBy == ComputedBy::kEachThread) {
    return map.place(block);
  } else {
    __shared__ Coord<Int> shared;
    if constexpr (Map::kComputedBy == ComputedBy::kWarp) {
      if (rank < 32) {
        const Coord<Int> place = warp_lambda(map.arithmetic, lanes_of(rank, blockDim.x * blockDim.y), block);
        if (rank == 0) shared = place;
      }
    } else {
      if (rank == 0) shared = map.place(block);
    }
    __syncthreads();
    return shared;
  }
}

/// Where the nine blocks around a block begin, written to shared memory; a barrier must follow.
template <typename Map, typename Int>
__device__ __forceinline__ void find_neighbours(const Map& map, const BlockedCompactStorage<Int>& storage,
                                                Coord<Int> block, std::uint32_t rank,
                                                BlockNeighbours& neighbours) {
  const std::uint32_t threads = blockDim.x * blockDim.y;
  if constexpr (Map::kComputedBy == ComputedBy::kWarp) {
    // Each warp runs lambda for itself and then nu for its share of the neighbours.
    const Lanes lanes = lanes_of(rank, threads);
    const Coord<Int> place = warp_lambda(map.arithmetic, lanes, block);
    for (std::uint32_t i = rank / 32; i < 9; i += (threads + 31) / 32) {
      const Coord<Int> at = neighbour_place(place, i);
      const bool inside = in_grid(storage.blocked, at);  // the same in all lanes
      CompactCoord<Int> found;
      if (inside) found = warp_nu(map.arithmetic, lanes, at);
      if (lanes.lane == 0) neighbours.base[i] = found.present ? storage.block_base(found.omega) : kNoIndex;
    }
  } else {
    // Each of nine threads runs lambda for itself: they share a warp, so this costs no more than one and
    // saves a barrier.
    for (std::uint32_t i = rank; i < 9; i += threads) {
      neighbours.base[i] = neighbour_base(storage, map.arithmetic, map.place(block), i);
    }
  }
}

/// Life on expanded storage, under any map: one thread for each thread of the map, one cell or none for each.
template <typename Map, typename Int>
__global__ void __launch_bounds__(kMaxBlockThreads)
    life_expanded_kernel(Coord64 first, const __grid_constant__ Map map,
                         const __grid_constant__ ExpandedStorage<Int> storage,
                         const std::uint8_t* __restrict__ now, std::uint8_t* __restrict__ next,
                         LifeRule rule) {
  const Coord<Int> block = map_block<Int>(first);
  const Coord32 thread{threadIdx.x, threadIdx.y};
  const Coord<Int> place = place_of_block(map, block, threadIdx.y * blockDim.x + threadIdx.x);
  const ThreadPosition mine = map.position(place, thread);
  if (!mine.present) return;
  const Coord<Int> cell = cell_in_block(map.blocked, place, mine.at);
  const std::uint64_t offset = storage.offset_of(cell);
  next[offset] = next_state(rule, now[offset], count_on_expanded(map.blocked, now, cell, offset));
}

/// The rim of a block's tile: position i of the 2 (rho_x + rho_y) + 4 cells around the block, relative to its
/// corner.
__device__ __forceinline__ Coord<int> rim_position(std::uint32_t i, int rho_x, int rho_y) {
  const int width = rho_x + 2;
  const int at = static_cast<int>(i);
  if (at < width) return {at - 1, -1};
  if (at < 2 * width) return {at - width - 1, rho_y};
  const int side = at - 2 * width;
  return side < rho_y ? Coord<int>{-1, side} : Coord<int>{rho_x, side - rho_y};
}

/// Life on blocked compact storage: lambda places the block, nu finds its eight neighbours (one thread each),
/// and the block's threads read across its rim, through a tile in shared memory (kHalo) or each for itself.
template <bool kHalo, typename Map, typename Int>
__global__ void __launch_bounds__(kMaxBlockThreads)
    life_compact_kernel(Coord64 first, const __grid_constant__ Map map,
                        const __grid_constant__ BlockedCompactStorage<Int> storage,
                        FastDivisor<std::uint32_t> rho_x, const std::uint8_t* __restrict__ now,
                        std::uint8_t* __restrict__ next, LifeRule rule) {
  __shared__ BlockNeighbours neighbours;
  extern __shared__ std::uint8_t tile[];
  const BlockedFractal& fractal = map.blocked;
  const Coord<Int> block = map_block<Int>(first);
  const Coord32 thread{threadIdx.x, threadIdx.y};
  const std::uint32_t rank = thread.y * blockDim.x + thread.x;
  const std::uint32_t threads = blockDim.x * blockDim.y;
  const std::uint64_t base = storage.block_base(block);

  find_neighbours(map, storage, block, rank, neighbours);
  const int pitch = static_cast<int>(fractal.rho_x) + 2;
  if constexpr (kHalo) {
    for (std::uint32_t i = rank; i < fractal.block_area(); i += threads) {
      const std::uint32_t y = rho_x.divide(i);
      tile[(y + 1) * pitch + (i - y * fractal.rho_x) + 1] = now[base + i];
    }
  }
  __syncthreads();
  if constexpr (kHalo) {
    const std::uint32_t rim = 2 * (fractal.rho_x + fractal.rho_y) + 4;
    for (std::uint32_t i = rank; i < rim; i += threads) {
      const Coord<int> p = rim_position(i, static_cast<int>(fractal.rho_x), static_cast<int>(fractal.rho_y));
      tile[(p.y + 1) * pitch + p.x + 1] = read_across_blocks(fractal, now, neighbours, p.x, p.y);
    }
    __syncthreads();
  }
  const ThreadPosition mine = map.position(block, thread);
  if (!mine.present) return;
  const int x = static_cast<int>(mine.at.x);
  const int y = static_cast<int>(mine.at.y);
  const std::uint64_t at = base + mine.at.y * fractal.rho_x + mine.at.x;
  if constexpr (kHalo) {
    next[at] = next_state(rule, tile[(y + 1) * pitch + x + 1], count_in_tile(fractal, tile, x, y));
  } else {
    next[at] = next_state(rule, now[at], count_across_blocks(fractal, now, neighbours, x, y));
  }
}

}  // namespace

void step_life(const MapMethod& method, bool halo, const BlockedFractal& fractal, const MapTables& tables,
               const std::uint8_t* now, std::uint8_t* next, LifeRule rule, const Stream& stream) {
  with_map(method, fractal, tables,
           [&]<typename Map, typename Storage>(const Map& map, const Storage& storage) {
             using Int = typename Map::Index;
             const LaunchShape shape = map.launch_shape();
             if constexpr (std::is_same_v<Storage, ExpandedStorage<Int>>) {
               launch_map(life_expanded_kernel<Map, Int>, shape, 0, stream, map, storage, now, next, rule);
             } else {
               const FastDivisor<std::uint32_t> rho_x(fractal.rho_x);
               if (halo) {
                 launch_map(life_compact_kernel<true, Map, Int>, shape, tile_area(fractal), stream, map,
                            storage, rho_x, now, next, rule);
               } else {
                 launch_map(life_compact_kernel<false, Map, Int>, shape, 0, stream, map, storage, rho_x, now,
                            next, rule);
               }
             }
           });
}

}  // namespace loom::cuda
