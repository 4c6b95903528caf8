#pragma once

#include <type_traits>

#include "compute/cuda/life/row_tiles.cuh"
#include "compute/cuda/life/staged_tiles.cuh"
#include "compute/cuda/life/thread_cell.cuh"
#include "compute/cuda/timeline/span_recorder.cuh"
#include "compute/map/dispatch.h"
#include "compute/workload/life_neighbours.h"

namespace loom::cuda {

// The work of one thread block in a generation of life on expanded storage, shared by the regular kernels and
// their instrumented copies.

/// A cell's own state and its living neighbours, read in words of eight bytes: three loads and, for a cell at
/// the end of a word, one more byte in each row. Requires rows of whole words.
struct Neighbourhood {
  std::uint32_t own;
  std::uint32_t living;
};
template <typename Rule, typename Int>
__device__ __forceinline__ Neighbourhood read_words(const Rule& rule, const std::uint8_t* __restrict__ now,
                                                    Coord<Int> cell, std::uint64_t offset, Int width,
                                                    Int height) {
  const std::uint8_t* const row = now + offset;
  const auto byte = static_cast<std::uint32_t>(cell.x) & 7u;
  const std::uint8_t* const word = row - byte;
  const auto load = [](const std::uint8_t* at) { return *reinterpret_cast<const unsigned long long*>(at); };
  constexpr std::uint32_t kState = std::is_same_v<Rule, TwoStateRule> ? 1 : 0xff;
  const bool has_above = cell.y > 0;
  const bool has_below = cell.y != height - 1;
  // Sums of the columns, one byte each: at most 3, so that no byte overflows.
  unsigned long long columns = load(word);
  const auto own = static_cast<std::uint32_t>(columns >> (8 * byte)) & kState;
  columns = living_of(rule, columns);
  if (has_above) columns += living_of(rule, load(word - width));
  if (has_below) columns += living_of(rule, load(word + width));
  std::uint32_t living = 0;
  const bool at_left = byte == 0 && cell.x > 0;
  const bool at_right = byte == 7 && cell.x != width - 1;
  if (at_left || at_right) {
    const std::uint8_t* const beyond = at_left ? row - 1 : row + 1;
    living = living_of(rule, *beyond);
    if (has_above) living += living_of(rule, *(beyond - width));
    if (has_below) living += living_of(rule, *(beyond + width));
  }
  // The columns to the left, here and to the right, as far as the word has them, added by one instruction.
  const unsigned long long around = byte == 0 ? columns << 8 : columns >> (8 * byte - 8);
  living = __dp4a(static_cast<std::uint32_t>(around), 0x00010101u, living);
  return {own, living - living_of(rule, static_cast<std::uint8_t>(own))};
}

/// The next state of a cell; kWords: rows are whole words of eight bytes.
template <bool kWords, typename Rule, typename Int>
__device__ __forceinline__ std::uint8_t next_of(const TiledFractal& fractal,
                                                const std::uint8_t* __restrict__ now, const Rule& rule,
                                                const ThreadCell<Int>& mine) {
  if constexpr (kWords) {
    const Neighbourhood around = read_words(
        rule, now, mine.cell, mine.offset, static_cast<Int>(fractal.width), static_cast<Int>(fractal.height));
    return next_state(rule, around.own, around.living);
  } else {
    return next_state(rule, now[mine.offset], count_on_expanded(rule, fractal, now, mine.cell, mine.offset));
  }
}

/// For any map: each thread writes its cells.
template <bool kWords, typename Rule, typename Map, typename Int>
__device__ __forceinline__ void life_expanded_block(const TileLayout& layout, const Map& map,
                                                    const ExpandedStorage<Int>& storage,
                                                    const std::uint8_t* __restrict__ now,
                                                    std::uint8_t* __restrict__ next, const Rule& rule) {
  for_each_cell(map, storage, layout, [&](const ThreadCell<Int>& mine) {
    next[mine.offset] = next_of<kWords>(map.tiled, now, rule, mine);
  });
}

/// The same with the tiles and their halos staged in shared memory, and whole rows written.
template <typename Rule, typename Map, typename Int>
__device__ __forceinline__ void life_expanded_rows_block(
    const TileLayout& layout, const Map& map, const ExpandedStorage<Int>& storage, const RowWork& work,
    const Staging& staging, const HaloCell* __restrict__ halo, std::uint32_t halo_cells,
    const std::uint8_t* __restrict__ now, std::uint8_t* __restrict__ next, const LifeRuleTable<Rule>& rule) {
  __shared__ SharedMemory<typename CellsInTiles<Map>::Shared> shared;
  extern __shared__ uint4 dynamic[];
  const TiledFractal& fractal = map.tiled;
  auto* const states = reinterpret_cast<std::uint8_t*>(dynamic);
  auto* const staged = reinterpret_cast<std::uint32_t*>(states + staging.memory.staged);
  const TileOrigin<Int>* const origins = shared.get().origins;
  const auto width = static_cast<Int>(fractal.width);
  const auto height = static_cast<Int>(fractal.height);

  clear(staged, staging.memory.bytes - staging.memory.staged);
  CellsInTiles<Map>::find_origins(map, storage, layout, shared.get());
  const TileThread mine = tile_thread(layout);
  const ThreadPosition position = position_in_tile(map, layout, mine);
  __syncthreads();
  const auto origin = [=](std::uint32_t tile) { return origins[tile].offset; };
  copy_rows(work, fractal, staging.fours.tiles, width, origin, now, states);
  stage_halos<Rule>(staging, halo, halo_cells, staged, [=, &layout, &storage](HaloCell cell) {
    // Relative to the tile's corner; steps below 0 wrap around to coordinates beyond the square.
    std::uint32_t row = cell.source();
    const std::uint32_t column = layout.rho_x.take_digit(row);
    const Coord<Int> beside = neighbour_place(Coord<Int>{0, 0}, cell.tile());
    const Int x = beside.x * layout.rho_x.value() + column;
    const Int y = beside.y * layout.rho_y.value() + row;
    return [=, &storage](std::uint32_t tile) {
      const Coord<Int> point{origins[tile].corner.x + x, origins[tile].corner.y + y};
      return point.x < width && point.y < height ? now[storage.offset_of(point)] : std::uint8_t{0};
    };
  });
  wait_for_copies();
  __syncthreads();
  stage_states<Rule>(staging, states, staged);
  __syncthreads();
  step_staged(staging, mine, position, rule, staged, states);
  __syncthreads();
  write_rows(work, fractal, staging.fours.tiles, width, origin, states, next);
}

/// Each thread reads its cells' neighbours from memory, and the tiles are written in whole rows.
template <typename Rule, typename Map, typename Int>
__device__ __forceinline__ void life_expanded_gathered_block(
    const TileLayout& layout, const Map& map, const ExpandedStorage<Int>& storage, const RowWork& work,
    const std::uint8_t* __restrict__ now, std::uint8_t* __restrict__ next, const Rule& rule) {
  write_in_rows(map, storage, layout, work, next,
                [&](const ThreadCell<Int>& mine) { return next_of<true>(map.tiled, now, rule, mine); });
}

// The kernels. Recorder is NoRecorder, or BlockRecorder in the instrumented copies, which read a clock before
// and after the same work.

template <bool kWords, typename Rule, typename Recorder, typename Map, typename Int>
__global__ void __launch_bounds__(kMaxBlockThreads)
    life_expanded_kernel(const __grid_constant__ TileLayout layout, const __grid_constant__ Map map,
                         const __grid_constant__ ExpandedStorage<Int> storage,
                         const std::uint8_t* __restrict__ now, std::uint8_t* __restrict__ next, Rule rule,
                         const __grid_constant__ Recorder recorder) {
  record_work(
      recorder, [&] { life_expanded_block<kWords>(layout, map, storage, now, next, rule); },
      [&] { return block_in_launch(layout); });
}

template <typename Rule, typename Recorder, typename Map, typename Int>
__global__ void __launch_bounds__(kMaxBlockThreads)
    life_expanded_rows_kernel(const __grid_constant__ TileLayout layout, const __grid_constant__ Map map,
                              const __grid_constant__ ExpandedStorage<Int> storage,
                              const __grid_constant__ RowWork work, const __grid_constant__ Staging staging,
                              const HaloCell* __restrict__ halo, std::uint32_t halo_cells,
                              const std::uint8_t* __restrict__ now, std::uint8_t* __restrict__ next,
                              const __grid_constant__ LifeRuleTable<Rule> rule,
                              const __grid_constant__ Recorder recorder) {
  record_work(
      recorder,
      [&] {
        life_expanded_rows_block(layout, map, storage, work, staging, halo, halo_cells, now, next, rule);
      },
      [&] { return block_in_launch(layout); });
}

template <typename Rule, typename Recorder, typename Map, typename Int>
__global__ void __launch_bounds__(kMaxBlockThreads)
    life_expanded_gathered_kernel(const __grid_constant__ TileLayout layout, const __grid_constant__ Map map,
                                  const __grid_constant__ ExpandedStorage<Int> storage,
                                  const __grid_constant__ RowWork work, const std::uint8_t* __restrict__ now,
                                  std::uint8_t* __restrict__ next, Rule rule,
                                  const __grid_constant__ Recorder recorder) {
  record_work(
      recorder, [&] { life_expanded_gathered_block(layout, map, storage, work, now, next, rule); },
      [&] { return block_in_launch(layout); });
}

/// Calls `use(kernel, map, shared bytes, arguments...)` with the kernel for a method's map and storage, and
/// its arguments after the map and before the cells. Has no effect if the storage is not expanded.
template <typename Rule, typename Recorder, typename Map, typename Storage, typename Use>
void with_expanded_kernel(const MapMethod& method, const TiledFractal& fractal, const MapTables& tables,
                          const Map& map, const Storage& storage, const Use& use) {
  using Int = typename Map::Index;
  if constexpr (kIsBox<Map>) {
    // A warp's threads are neighbours in a row, so that byte accesses cover whole sectors.
    use(life_expanded_kernel<false, Rule, Recorder, Map, Int>, map, std::size_t{0}, storage);
  } else if constexpr (std::is_same_v<Storage, ExpandedStorage<Int>>) {
    const bool words = fractal.width % 8 == 0;
    if constexpr (kWorksOnRows<Map>) {
      const ExpandedKernel form = expanded_kernel(fractal);
      const std::uint32_t threads = threads_of(method, map);
      if constexpr (!Map::kTurned) {  // expanded_kernel() does not choose it
        if (form == ExpandedKernel::kStaged) {
          const Staging work = staging(fractal, tables.halo_cells, tiling_of(method, fractal), 0, threads);
          use(life_expanded_rows_kernel<Rule, Recorder, Map, Int>, map, std::size_t{work.memory.bytes},
              storage, row_work(fractal, fractal.width, threads), work, tables.halo, tables.halo_cells);
          return;
        }
      }
      if (form == ExpandedKernel::kGathered) {
        use(life_expanded_gathered_kernel<Rule, Recorder, Map, Int>, map, staged_states(method, fractal),
            storage, row_work(fractal, fractal.width, threads));
        return;
      }
    }
    use(words ? life_expanded_kernel<true, Rule, Recorder, Map, Int>
              : life_expanded_kernel<false, Rule, Recorder, Map, Int>,
        map, std::size_t{0}, storage);
  }
}

}  // namespace loom::cuda
