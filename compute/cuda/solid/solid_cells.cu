
#include "compute/cuda/device_buffer.h"
#include "compute/cuda/launch.cuh"
#include "compute/cuda/solid/solid_launch.cuh"
#include "compute/workload/random_start.h"

namespace loom::cuda {
namespace {

__device__ __forceinline__ unsigned long long warp_sum(unsigned long long value) {
  for (int lanes = 16; lanes > 0; lanes /= 2) value += __shfl_down_sync(0xffffffffu, value, lanes);
  return value;
}

__global__ void __launch_bounds__(kMaxBlockThreads)
    solid_write_kernel(const __grid_constant__ SolidLayout layout, const __grid_constant__ SolidMap map,
                       std::uint8_t* __restrict__ cells, std::uint32_t generation) {
  for_each_solid_cell(map, layout, [&](std::uint32_t, Coord3 cell, std::uint64_t at) {
    cells[at] = single_write_value(cell, generation);
  });
}

/// The sum of a thread block: one value per warp, then one addition to *sum.
__global__ void __launch_bounds__(kMaxBlockThreads)
    solid_reduce_kernel(const __grid_constant__ SolidLayout layout, const __grid_constant__ SolidMap map,
                        const std::uint8_t* __restrict__ cells, unsigned long long* sum) {
  __shared__ std::uint32_t of_block;
  if (threadIdx.x == 0) of_block = 0;
  __syncthreads();
  std::uint32_t mine = 0;
  for_each_solid_cell(map, layout, [&](std::uint32_t, Coord3 cell, std::uint64_t at) {
    mine += reduction_value(cell, cells[at]);
  });
  // The last warp may have fewer than 32 lanes.
  const std::uint32_t lanes = min(32u, blockDim.x - threadIdx.x / 32 * 32);
  const std::uint32_t mask = lanes == 32 ? ~0u : (1u << lanes) - 1;
  const std::uint32_t lane = threadIdx.x % 32;
  __syncwarp(mask);
  for (std::uint32_t distance = 16; distance > 0; distance /= 2) {
    const std::uint32_t other = __shfl_down_sync(mask, mine, distance);
    if (lane + distance < lanes) mine += other;
  }
  if (lane == 0 && mine != 0) atomicAdd(&of_block, mine);
  __syncthreads();
  if (threadIdx.x == 0 && of_block != 0) atomicAdd(sum, static_cast<unsigned long long>(of_block));
}

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

/// `first_cell` is the first cell of an occupied tile: its thread counts the tile as occupied.
__global__ void __launch_bounds__(kMaxBlockThreads)
    solid_count_kernel(const __grid_constant__ SolidLayout layout, const __grid_constant__ SolidMap map,
                       Coord3 first_cell, unsigned long long* counts) {
  __shared__ std::uint32_t of_block[kCounters];
  for (std::uint32_t i = threadIdx.x; i < kCounters; i += blockDim.x) of_block[i] = 0;
  __syncthreads();
  std::uint32_t mine[kCounters] = {};
  if (threadIdx.x == 0) ++mine[kThreadBlocks];
  const SolidThread thread = solid_thread(layout);
  for (std::uint32_t round = 0; round < layout.rounds; ++round) {
    ++mine[kThreadsLaunched];
    const bool has_tile = first_tile(layout) + thread.group * layout.rounds + round < layout.grid_tiles;
    if (!has_tile) ++mine[kThreadsWithoutTile];
    if (has_tile && thread.number == 0) ++mine[kTilesLaunched];
  }
  for_each_solid_cell(map, layout, [&](std::uint32_t, Coord3 cell, std::uint64_t at) {
    ++mine[kThreadsActive];
    const Coord3 rho = map.tiled.rho;
    if (cell.x % rho.x == first_cell.x && cell.y % rho.y == first_cell.y && cell.z % rho.z == first_cell.z)
      ++mine[kTilesOccupied];
    if (map.index_of(cell) != at) ++mine[kThreadsMisplaced];
  });
#pragma unroll
  for (std::uint32_t i = 0; i < kCounters; ++i) {
    if (mine[i] != 0) atomicAdd(&of_block[i], mine[i]);
  }
  __syncthreads();
  for (std::uint32_t i = threadIdx.x; i < kCounters; i += blockDim.x) {
    if (of_block[i] != 0) atomicAdd(&counts[i], static_cast<unsigned long long>(of_block[i]));
  }
}

__global__ void solid_random_kernel(const __grid_constant__ SolidMap map,
                                    const __grid_constant__ SolidOrder order, std::uint8_t* cells,
                                    std::uint64_t first, std::uint64_t count, std::uint64_t seed,
                                    std::uint64_t threshold) {
  for (std::uint64_t i = first + grid_thread(); i < first + count; i += grid_stride())
    cells[map.index_of(order.cell(i))] = random_cell(seed, i, threshold);
}

__global__ void solid_census_kernel(const __grid_constant__ SolidMap map,
                                    const __grid_constant__ SolidOrder order, const std::uint8_t* cells,
                                    std::uint64_t first, std::uint64_t count, unsigned long long* totals) {
  Census census;
  for (std::uint64_t i = first + grid_thread(); i < first + count; i += grid_stride()) {
    if (const std::uint8_t state = cells[map.index_of(order.cell(i))]) census.add(i, state);
  }
  const unsigned long long population = warp_sum(census.population);
  const unsigned long long hash = warp_sum(census.hash);
  if (threadIdx.x % 32 == 0 && hash != 0) {
    atomicAdd(&totals[0], population);
    atomicAdd(&totals[1], hash);
  }
}

__global__ void solid_gather_kernel(const __grid_constant__ SolidMap map,
                                    const __grid_constant__ SolidOrder order, const std::uint8_t* cells,
                                    std::uint64_t first, std::uint64_t count, std::uint8_t* dense) {
  for (std::uint64_t i = grid_thread(); i < count; i += grid_stride())
    dense[i] = cells[map.index_of(order.cell(first + i))];
}

__global__ void solid_scatter_kernel(const __grid_constant__ SolidMap map,
                                     const __grid_constant__ SolidOrder order, std::uint8_t* cells,
                                     std::uint64_t first, std::uint64_t count, const std::uint8_t* dense) {
  for (std::uint64_t i = grid_thread(); i < count; i += grid_stride())
    cells[map.index_of(order.cell(first + i))] = dense[i];
}

Coord3 first_cell_of_tile(const TiledSolid& tiled) {
  std::uint32_t first = 0;
  while (!tiled.micro_member(first)) ++first;
  return BoxIndex(tiled.rho).at(first);
}

}  // namespace

void write_solid(const SolidProgram& program, std::uint8_t* cells, std::uint32_t generation,
                 const LaunchSlices& slices, const Stream& stream) {
  launch_solid(solid_write_kernel, program, bytes_of_places(program), slices, stream, program.map, cells,
               generation);
}

void reduce_solid(const SolidProgram& program, const std::uint8_t* cells, unsigned long long* sum,
                  const LaunchSlices& slices, const Stream& stream) {
  launch_solid(solid_reduce_kernel, program, bytes_of_places(program), slices, stream, program.map, cells,
               sum);
}

ThreadCount count_solid_threads(const SolidProgram& program, const LaunchSlices& slices,
                                const Stream& stream) {
  const DeviceBuffer<unsigned long long> counts(kCounters);
  LOOM_CUDA(cudaMemsetAsync(counts.data(), 0, kCounters * sizeof(unsigned long long), stream.get()));
  launch_solid(solid_count_kernel, program, bytes_of_places(program), slices, stream, program.map,
               first_cell_of_tile(program.map.tiled), counts.data());
  unsigned long long values[kCounters] = {};
  LOOM_CUDA(cudaMemcpyAsync(values, counts.data(), sizeof(values), cudaMemcpyDeviceToHost, stream.get()));
  stream.wait();
  return {.thread_blocks = values[kThreadBlocks],
          .tiles_launched = values[kTilesLaunched],
          .tiles_occupied = values[kTilesOccupied],
          .threads_launched = values[kThreadsLaunched],
          .threads_active = values[kThreadsActive],
          .threads_without_tile = values[kThreadsWithoutTile],
          .threads_misplaced = values[kThreadsMisplaced]};
}

void fill_random_solid(const SolidMap& map, const SolidOrder& order, std::uint8_t* cells, std::uint64_t first,
                       std::uint64_t count, std::uint64_t seed, std::uint64_t threshold,
                       const Stream& stream) {
  launch_items(solid_random_kernel, count, stream, map, order, cells, first, count, seed, threshold);
}

void add_solid_census(const SolidMap& map, const SolidOrder& order, const std::uint8_t* cells,
                      std::uint64_t first, std::uint64_t count, unsigned long long* totals,
                      const Stream& stream) {
  launch_items(solid_census_kernel, count, stream, map, order, cells, first, count, totals);
}

void gather_solid(const SolidMap& map, const SolidOrder& order, const std::uint8_t* cells,
                  std::uint64_t first, std::uint64_t count, std::uint8_t* dense, const Stream& stream) {
  launch_items(solid_gather_kernel, count, stream, map, order, cells, first, count, dense);
}

void scatter_solid(const SolidMap& map, const SolidOrder& order, std::uint8_t* cells, std::uint64_t first,
                   std::uint64_t count, const std::uint8_t* dense, const Stream& stream) {
  launch_items(solid_scatter_kernel, count, stream, map, order, cells, first, count, dense);
}

}  // namespace loom::cuda
