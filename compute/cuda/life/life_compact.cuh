#pragma once

#include <type_traits>

#include "compute/cuda/life/place.cuh"
#include "compute/cuda/life/staged_tiles.cuh"
#include "compute/cuda/timeline/span_recorder.cuh"
#include "compute/map/dispatch.h"
#include "compute/workload/life_neighbours.h"

namespace loom::cuda {

// The work of one thread block in a generation of life on compact storage, shared by the regular kernel and
// its instrumented copy.

/// Life on tiled compact storage: lambda maps the tiles, nu finds their neighbours, and each thread reads
/// cells of neighbouring tiles itself. All threads of the thread block must take part.
template <typename Rule, typename Map, typename Int>
__device__ __forceinline__ void life_compact_block(const TileLayout& layout, const Map& map,
                                                   const TiledCompactStorage<Int>& storage,
                                                   const NeighbourList& list,
                                                   const std::uint8_t* __restrict__ now,
                                                   std::uint8_t* __restrict__ next, const Rule& rule) {
  using Places = PlacesOf<Map>;
  __shared__ SharedMemory<typename Places::NeighbourShared> shared;
  extern __shared__ uint4 dynamic[];
  const TiledFractal& fractal = map.tiled;
  auto* const neighbours = reinterpret_cast<TileNeighbours*>(dynamic);
  Places::find_places(map.arithmetic, layout, shared.get());
  __syncthreads();
  Places::find_neighbours(map.arithmetic, storage, layout, list, shared.get(), neighbours);
  const TileThread mine = tile_thread(layout);
  const ThreadPosition position = position_in_tile(map, layout, mine);
  __syncthreads();
  if (mine.tile >= layout.parallel || !position.present) return;
  if constexpr (Map::kTurned) {
    const std::uint64_t begin = storage.tile_base(coord_of_tile<Int>(layout, 0));
    for (std::uint32_t tile = mine.tile; tile < layout.tiles(); tile += layout.parallel) {
      const Coord32 turned = shared.get().turns.apply_to(tile, position.at, fractal.rho_x);
      const std::uint64_t at = begin + tile * fractal.points_per_tile() + turned.y * fractal.rho_x + turned.x;
      next[at] = next_state(rule, now[at],
                            count_across_tiles(rule, fractal, now, neighbours[tile],
                                               static_cast<int>(turned.x), static_cast<int>(turned.y)));
    }
    return;
  }
  const int x = static_cast<int>(position.at.x);
  const int y = static_cast<int>(position.at.y);
  // The tiles are neighbours in a row of the grid, so that they are contiguous in memory.
  const std::uint64_t first =
      storage.tile_base(coord_of_tile<Int>(layout, 0)) + position.at.y * fractal.rho_x + position.at.x;
#pragma unroll 3
  for (std::uint32_t tile = mine.tile; tile < layout.tiles(); tile += layout.parallel) {
    const std::uint64_t at = first + tile * fractal.points_per_tile();
    next[at] = next_state(rule, now[at], count_across_tiles(rule, fractal, now, neighbours[tile], x, y));
  }
}

/// The same with the tiles and their halos staged in shared memory, and whole tiles written.
template <typename Rule, typename Map, typename Int>
__device__ __forceinline__ void life_compact_rows_block(
    const TileLayout& layout, const Map& map, const TiledCompactStorage<Int>& storage,
    const NeighbourList& list, const Staging& work, const HaloCell* __restrict__ halo,
    std::uint32_t halo_cells, const std::uint8_t* __restrict__ now, std::uint8_t* __restrict__ next,
    const LifeRuleTable<Rule>& rule) {
  using Places = PlacesOf<Map>;
  __shared__ SharedMemory<typename Places::NeighbourShared> shared;
  extern __shared__ uint4 dynamic[];
  auto* const memory = reinterpret_cast<std::uint8_t*>(dynamic);
  auto* const neighbours = reinterpret_cast<TileNeighbours*>(memory + work.memory.beside);
  auto* const staged = reinterpret_cast<std::uint32_t*>(memory + work.memory.staged);
  // The tiles are neighbours in a row of the grid, so that they are contiguous in memory.
  const std::uint64_t first = storage.tile_base(coord_of_tile<Int>(layout, 0));
  const std::uint32_t bytes = work.fours.tiles * map.tiled.points_per_tile();
  std::uint8_t* const states = beside_chunks(memory, first);

  copy_run(now, first, bytes, memory);
  clear(staged, work.memory.bytes - work.memory.staged);
  Places::find_places(map.arithmetic, layout, shared.get());
  const TileThread mine = tile_thread(layout);
  const ThreadPosition position = position_in_tile(map, layout, mine);
  __syncthreads();
  Places::find_neighbours(map.arithmetic, storage, layout, list, shared.get(), neighbours);
  wait_for_copies();
  __syncthreads();
  stage_halos<Rule>(work, halo, halo_cells, staged, [=](HaloCell cell) {
    return [=, bases = &neighbours->base[cell.tile()], from = now + cell.source()](std::uint32_t tile) {
      const std::uint64_t base = bases[tile * (sizeof(TileNeighbours) / sizeof(std::uint64_t))];
      return base != kNoIndex ? from[base] : std::uint8_t{0};
    };
  });
  stage_states<Rule>(work, states, staged);
  __syncthreads();
  if constexpr (Map::kTurned) {
    step_turned(work, layout, mine, position, shared.get().turns, rule, staged, states);
  } else {
    step_staged(work, mine, position, rule, staged, states);
  }
  __syncthreads();
  write_run(memory, first, bytes, next);
}

// The kernels; Recorder as in life_expanded.cuh.

template <typename Rule, typename Recorder, typename Map, typename Int>
__global__ void __launch_bounds__(kMaxBlockThreads)
    life_compact_kernel(const __grid_constant__ TileLayout layout, const __grid_constant__ Map map,
                        const __grid_constant__ TiledCompactStorage<Int> storage,
                        const __grid_constant__ NeighbourList list, const std::uint8_t* __restrict__ now,
                        std::uint8_t* __restrict__ next, Rule rule,
                        const __grid_constant__ Recorder recorder) {
  record_work(
      recorder, [&] { life_compact_block(layout, map, storage, list, now, next, rule); },
      [&] { return block_in_launch(layout); });
}

template <typename Rule, typename Recorder, typename Map, typename Int>
__global__ void __launch_bounds__(kMaxBlockThreads)
    life_compact_rows_kernel(const __grid_constant__ TileLayout layout, const __grid_constant__ Map map,
                             const __grid_constant__ TiledCompactStorage<Int> storage,
                             const __grid_constant__ NeighbourList list, const __grid_constant__ Staging work,
                             const HaloCell* __restrict__ halo, std::uint32_t halo_cells,
                             const std::uint8_t* __restrict__ now, std::uint8_t* __restrict__ next,
                             const __grid_constant__ LifeRuleTable<Rule> rule,
                             const __grid_constant__ Recorder recorder) {
  record_work(
      recorder,
      [&] { life_compact_rows_block(layout, map, storage, list, work, halo, halo_cells, now, next, rule); },
      [&] { return block_in_launch(layout); });
}

/// Calls `use(kernel, map, shared bytes, arguments...)` with the kernel for a method's map and storage, and
/// its arguments after the map and before the cells. Has no effect if the storage is not compact.
template <typename Rule, typename Recorder, typename Map, typename Storage, typename Use>
void with_compact_kernel(const MapMethod& method, bool halo, const TiledFractal& fractal,
                         const MapTables& tables, const Map& map, const Storage& storage, const Use& use) {
  using Int = typename Map::Index;
  if constexpr (std::is_same_v<Storage, TiledCompactStorage<Int>>) {
    const Tiling tiling = tiling_of(method, fractal);
    const std::uint32_t neighbours = tiling.tiles() * sizeof(TileNeighbours);
    if (halo) {
      const Staging work = staging(fractal, tables.halo_cells, tiling, neighbours, threads_of(method, map));
      use(life_compact_rows_kernel<Rule, Recorder, Map, Int>, map, std::size_t{work.memory.bytes}, storage,
          neighbour_list(tables.tiles_of_halo), work, tables.halo, tables.halo_cells);
    } else {
      use(life_compact_kernel<Rule, Recorder, Map, Int>, map, std::size_t{neighbours}, storage,
          neighbour_list(kAllAround));
    }
  }
}

}  // namespace loom::cuda
