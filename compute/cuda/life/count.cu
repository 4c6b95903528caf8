#include <vector>

#include "compute/cuda/device_buffer.h"
#include "compute/cuda/life/byte_kernels.h"
#include "compute/cuda/life/thread_cell.cuh"
#include "compute/map/dispatch.h"
#include "compute/workload/cell_work.h"

namespace loom::cuda {
namespace {

/// The counts of a ThreadCount, in its order.
enum Counter : std::uint32_t {
  kThreadBlocks,
  kTilesLaunched,
  kTilesOccupied,
  kThreadsLaunched,
  kThreadsActive,
  kThreadsWithoutTile,
  kThreadsMisplaced,
  kCounters
};

/// Thread blocks add to one of this number of sets of counters, which reduces contention.
constexpr std::uint32_t kSets = 512;

/// Counts the calling thread once for each tile that it works on.
template <typename Map>
__device__ __forceinline__ void count_launched(const TileLayout& layout, std::uint32_t* mine) {
  TileThread thread;
  if constexpr (kIsBox<Map>) {
    thread = {threadIdx.z, threadIdx.y * blockDim.x + threadIdx.x};
  } else {
    thread = tile_thread(layout);
  }
  for (std::uint32_t first = 0; first < layout.tiles(); first += layout.parallel) {
    ++mine[kThreadsLaunched];
    const bool has_tile = thread.tile < layout.parallel &&
                          in_launch(layout, coord_of_tile<typename Map::Index>(layout, first + thread.tile));
    if (!has_tile) ++mine[kThreadsWithoutTile];
    if (has_tile && thread.number == 0) ++mine[kTilesLaunched];
  }
}

/// The levels of tile coordinates, for the maps that may have turned tiles. The others do without, because
/// the parameters of a kernel are limited to 4 KiB in CUDA 12.0.
struct NoLevels {};
template <typename Map>
using TileLevels =
    std::conditional_t<kIsBox<Map> || Map::kTurned, NbbTransform<typename Map::Index>, NoLevels>;
template <typename Map>
TileLevels<Map> tile_levels(const TiledFractal& fractal) {
  if constexpr (std::is_same_v<TileLevels<Map>, NoLevels>) {
    return {};
  } else {
    return {fractal.shape, fractal.levels, fractal.coarse_level};
  }
}

/// `first_cell` is the position of the first cell in an occupied tile before it is turned: the thread at that
/// position counts the tile as occupied.
template <typename Map, typename Storage>
__global__ void __launch_bounds__(kMaxBlockThreads)
    count_kernel(const __grid_constant__ TileLayout layout, const __grid_constant__ Map map,
                 const __grid_constant__ Storage storage, const __grid_constant__ TileLevels<Map> tiles,
                 Coord32 first_cell, unsigned long long* __restrict__ sets) {
  __shared__ std::uint32_t of_block[kCounters];
  const std::uint32_t rank = rank_in_block<Map>();
  const std::uint32_t threads = threads_in_block<Map>();
  for (std::uint32_t i = rank; i < kCounters; i += threads) of_block[i] = 0;
  __syncthreads();
  std::uint32_t mine[kCounters] = {};
  if (rank == 0) ++mine[kThreadBlocks];
  count_launched<Map>(layout, mine);
  const auto is_first = [&](const auto& cell) {
    Coord32 first = first_cell;
    if constexpr (!std::is_same_v<TileLevels<Map>, NoLevels>) {
      const Coord<typename Map::Index> place{cell.x / map.tiled.rho_x, cell.y / map.tiled.rho_y};
      first = apply(symmetry_at(tiles, map.tiled.coarse_level, place), first, map.tiled.rho_x);
    }
    return cell.x % map.tiled.rho_x == first.x && cell.y % map.tiled.rho_y == first.y;
  };
  for_each_cell(map, storage, layout, [&](const auto& thread) {
    ++mine[kThreadsActive];
    if (is_first(thread.cell)) {
      ++mine[kTilesOccupied];
    }
    if (!is_stored_at(storage, thread.cell, thread.offset)) ++mine[kThreadsMisplaced];
  });
#pragma unroll
  for (std::uint32_t i = 0; i < kCounters; ++i) {
    if (mine[i] != 0) atomicAdd(&of_block[i], mine[i]);
  }
  __syncthreads();
  unsigned long long* const set = sets + (blockIdx.y * gridDim.x + blockIdx.x) % kSets * kCounters;
  for (std::uint32_t i = rank; i < kCounters; i += threads) {
    if (of_block[i] != 0) atomicAdd(&set[i], std::uint64_t{of_block[i]});
  }
}

Coord32 first_cell_of_tile(const TiledFractal& fractal) {
  std::uint32_t first = 0;
  while (!fractal.micro_member(first)) ++first;
  return {first % fractal.rho_x, first / fractal.rho_x};
}

}  // namespace

ThreadCount count_threads(const MapMethod& method, const TiledFractal& fractal, const MapTables& tables,
                          const LaunchSlices& slices, const Stream& stream) {
  const DeviceBuffer<unsigned long long> sets(kSets * kCounters);
  const std::size_t bytes = sets.size() * sizeof(unsigned long long);
  LOOM_CUDA(cudaMemsetAsync(sets.data(), 0, bytes, stream.get()));
  with_kernel_map(method, fractal, tables, [&]<typename Map>(const Map& map, const auto&) {
    using Storage = CountingStorage<Map>;  // one kernel for lambda and compact
    launch_tiles(count_kernel<Map, Storage>, map, method, 0, slices, stream, map, Storage(fractal),
                 tile_levels<Map>(fractal), first_cell_of_tile(fractal), sets.data());
  });
  std::vector<unsigned long long> figures(sets.size());
  LOOM_CUDA(cudaMemcpyAsync(figures.data(), sets.data(), bytes, cudaMemcpyDeviceToHost, stream.get()));
  stream.wait();
  ThreadCount count;
  for (std::size_t set = 0; set < figures.size(); set += kCounters) {
    count += {.thread_blocks = figures[set + kThreadBlocks],
              .tiles_launched = figures[set + kTilesLaunched],
              .tiles_occupied = figures[set + kTilesOccupied],
              .threads_launched = figures[set + kThreadsLaunched],
              .threads_active = figures[set + kThreadsActive],
              .threads_without_tile = figures[set + kThreadsWithoutTile],
              .threads_misplaced = figures[set + kThreadsMisplaced]};
  }
  return count;
}

}  // namespace loom::cuda
