#include <algorithm>

#include "compute/core/fast_divisor.h"
#include "compute/cuda/launch.cuh"
#include "compute/cuda/mandelbrot/mandelbrot.h"
#include "compute/cuda/mandelbrot/region/region_block.cuh"
#include "compute/cuda/mandelbrot/region/region_parts.cuh"

namespace loom::cuda {
namespace {

template <typename Real, typename Dwell>
__global__ void __launch_bounds__(kMaxRegionThreads)
    exhaustive_kernel(const __grid_constant__ DwellTask<Real, Dwell> task, std::uint32_t blocks_x,
                      std::uint64_t blocks) {
  for (std::uint64_t block = blockIdx.x; block < blocks; block += gridDim.x) {
    const std::uint64_t row = block / blocks_x;
    const std::uint64_t x = (block - row * blocks_x) * blockDim.x + threadIdx.x;
    const std::uint64_t y = row * blockDim.y + threadIdx.y;
    if (x >= task.cut.width || y >= task.cut.height) continue;
    const auto pixel_x = static_cast<std::uint32_t>(x);
    const auto pixel_y = static_cast<std::uint32_t>(y);
    task.image.at(pixel_x, pixel_y) = static_cast<Dwell>(dwell(task.grid.at(pixel_x, pixel_y), task.limit));
  }
}

/// The next item for this block, the same in all its threads: from the queue, or in a fixed stride from the
/// block's own number on. All threads take part; a barrier is passed.
template <typename Real>
__device__ __forceinline__ unsigned long long take_item(unsigned long long* queue, bool use_queue,
                                                        unsigned long long previous, bool is_first,
                                                        RegionSpace<Real>& space, std::uint32_t rank) {
  __syncthreads();  // everybody is done with the previous item and what was shared of it
  if (!use_queue) return is_first ? blockIdx.x : previous + gridDim.x;
  if (rank == 0) space.index = atomicAdd(queue, 1ull);
  __syncthreads();
  return space.index;
}

/// One level, one block a region at a time: border, then fill, leaf or split. With MBR fills and leaves
/// become jobs.
template <typename Real, typename Dwell>
__global__ void __launch_bounds__(kMaxRegionThreads)
    ask_level_kernel(const __grid_constant__ DwellTask<Real, Dwell> task, const AskTables tables,
                     std::uint32_t level, std::uint32_t parts) {
  __shared__ RegionSpace<Real> space;
  RegionBlock<Real, Dwell> block(task, space);
  LevelCounters& counters = task.counters[level];
  const std::uint32_t r = task.cut.r;
  const unsigned long long entries = tables.read == nullptr ? task.cut.first_regions() : counters.entries;
  unsigned long long index = 0;
  for (bool first = true;; first = false) {
    index = take_item(&counters.taken, task.ideas.queue, index, first, space, block.rank());
    if (index >= entries) break;
    if (block.rank() == 0) {
      space.place = tables.read == nullptr ? Coord32{static_cast<std::uint32_t>(index % parts),
                                                     static_cast<std::uint32_t>(index / parts)}
                                           : tables.read[index];
      space.region = region_at(task.cut, parts, space.place.x, space.place.y);
    }
    __syncthreads();
    const Coord32 place = space.place;
    const Region region = space.region;
    if (region.empty()) continue;
    std::uint32_t dwell = 0;
    const RegionKind kind = block.explore(region, level, dwell);
    if (kind == RegionKind::kSplit) {
      if (block.rank() == 0) space.index = atomicAdd(&task.counters[level + 1].entries, 1ull * r * r);
      __syncthreads();
      for (std::uint32_t i = block.rank(); i < r * r; i += block.threads()) {
        tables.write[space.index + i] = {place.x * r + i % r, place.y * r + i / r};
      }
    } else if (task.scheme == RegionScheme::kMbr) {
      if (block.rank() == 0) {
        const unsigned long long slot = atomicAdd(&counters.jobs, 1ull);
        tables.jobs[slot] = {place, kind == RegionKind::kLeaf ? RegionJob::kLeaf : dwell};
      }
    } else if (kind == RegionKind::kFill) {
      block.fill(region, dwell);
    } else {
      block.compute_leaf(region);
    }
  }
  block.flush(level);
}

/// MBR: the fills and leaves of a level, each cut into parts that blocks take one at a time.
template <typename Real, typename Dwell>
__global__ void __launch_bounds__(kMaxRegionThreads)
    ask_jobs_kernel(const __grid_constant__ DwellTask<Real, Dwell> task, const AskTables tables,
                    std::uint32_t level, std::uint32_t parts, std::uint32_t job_parts) {
  __shared__ RegionSpace<Real> space;
  RegionBlock<Real, Dwell> block(task, space);
  LevelCounters& counters = task.counters[level];
  const unsigned long long items = counters.jobs * job_parts;
  unsigned long long item = 0;
  for (bool first = true;; first = false) {
    item = take_item(&counters.jobs_taken, task.ideas.queue, item, first, space, block.rank());
    if (item >= items) break;
    const RegionJob job = tables.jobs[item / job_parts];
    if (block.rank() == 0) space.region = region_at(task.cut, parts, job.place.x, job.place.y);
    __syncthreads();
    work_on_part(block, space.region, job.dwell, static_cast<std::uint32_t>(item % job_parts));
  }
  block.flush(level);
}

template <typename Real, typename Dwell>
__global__ void find_differences_kernel(const __grid_constant__ DwellTask<Real, Dwell> task,
                                        unsigned long long* count, DwellDifference* places,
                                        std::uint64_t capacity) {
  const std::uint64_t pixels = static_cast<std::uint64_t>(task.cut.width) * task.cut.height;
  for (std::uint64_t i = grid_thread(); i < pixels; i += grid_stride()) {
    const auto y = static_cast<std::uint32_t>(i / task.cut.width);
    const auto x = static_cast<std::uint32_t>(i - static_cast<std::uint64_t>(y) * task.cut.width);
    const std::uint32_t expected = dwell(task.grid.at(x, y), task.limit);
    const std::uint32_t held = task.image.dwells[i];
    if (held == expected) continue;
    const unsigned long long slot = atomicAdd(count, 1ull);
    if (slot < capacity) places[slot] = {{x, y}, held, expected};
  }
}

/// The row on the real axis of a mirrored image.
template <typename Real, typename Dwell>
__global__ void axis_kernel(const __grid_constant__ DwellTask<Real, Dwell> task) {
  const std::uint32_t y = task.cut.height / 2;
  for (std::uint64_t x = grid_thread(); x < task.cut.width; x += grid_stride()) {
    const auto column = static_cast<std::uint32_t>(x);
    task.image.at(column, y) = static_cast<Dwell>(dwell(task.grid.at(column, y), task.limit));
  }
}

/// Copies row height - y to each row y below the axis; a row is chunks_of_row chunks.
template <typename Chunk>
__global__ void copy_mirrored_kernel(Chunk* __restrict__ image, FastDivisor<std::uint64_t> chunks_of_row,
                                     std::uint32_t height) {
  const std::uint64_t chunks = chunks_of_row.value() * (height / 2 - 1);
  for (std::uint64_t i = grid_thread(); i < chunks; i += grid_stride()) {
    const std::uint64_t row = chunks_of_row.divide(i);
    const std::uint64_t x = i - row * chunks_of_row.value();
    const std::uint64_t below = height / 2 + 1 + row;
    image[below * chunks_of_row.value() + x] = image[(height - below) * chunks_of_row.value() + x];
  }
}

__global__ void narrow_kernel(const std::uint32_t* dwells, std::uint16_t* narrow, std::uint64_t count) {
  for (std::uint64_t i = grid_thread(); i < count; i += grid_stride()) {
    narrow[i] = static_cast<std::uint16_t>(dwells[i]);
  }
}

/// Blocks that the device can hold at once, but no more than there are items.
template <typename... Parameters>
unsigned resident_blocks(void (*kernel)(Parameters...), BlockShape block, int multiprocessors,
                         std::uint64_t items) {
  int per_multiprocessor = 0;
  LOOM_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_multiprocessor, kernel,
                                                          static_cast<int>(block.x * block.y), 0));
  const auto resident = static_cast<std::uint64_t>(std::max(1, per_multiprocessor) * multiprocessors);
  return static_cast<unsigned>(std::clamp<std::uint64_t>(items, 1, resident));
}

}  // namespace

template <typename Real, typename Dwell>
void compute_exhaustive(const DwellTask<Real, Dwell>& task, BlockShape block, const Stream& stream) {
  constexpr std::uint64_t kMaxGrid = (std::uint64_t{1} << 31) - 1;
  const std::uint32_t blocks_x = (task.cut.width + block.x - 1) / block.x;
  const std::uint64_t blocks = std::uint64_t{blocks_x} * ((task.cut.height + block.y - 1) / block.y);
  const auto grid = static_cast<unsigned>(std::min(blocks, kMaxGrid));
  exhaustive_kernel<<<grid, dim3(block.x, block.y), 0, stream.get()>>>(task, blocks_x, blocks);
  LOOM_CUDA(cudaGetLastError());
}

template <typename Real, typename Dwell>
void compute_ask_level(const DwellTask<Real, Dwell>& task, const AskTables& tables, const AskLaunch& launch,
                       const Stream& stream) {
  const dim3 threads(launch.block.x, launch.block.y);
  const std::uint32_t parts = parts_at(task.cut, launch.level);
  const auto level_kernel = ask_level_kernel<Real, Dwell>;
  const unsigned blocks =
      resident_blocks(level_kernel, launch.block, launch.multiprocessors, launch.most_regions);
  level_kernel<<<blocks, threads, 0, stream.get()>>>(task, tables, launch.level, parts);
  LOOM_CUDA(cudaGetLastError());
  if (task.scheme != RegionScheme::kMbr) return;
  const std::uint32_t job_parts = parts_of_region(task.cut, launch.level);
  const auto jobs_kernel = ask_jobs_kernel<Real, Dwell>;
  const unsigned job_blocks =
      resident_blocks(jobs_kernel, launch.block, launch.multiprocessors, launch.most_regions * job_parts);
  jobs_kernel<<<job_blocks, threads, 0, stream.get()>>>(task, tables, launch.level, parts, job_parts);
  LOOM_CUDA(cudaGetLastError());
}

template <typename Real, typename Dwell>
void mirror_image(const DwellTask<Real, Dwell>& task, const Stream& stream) {
  const std::uint64_t width = task.cut.width;
  launch_items(axis_kernel<Real, Dwell>, width, stream, task);
  const std::uint32_t copied = task.cut.height / 2 - 1;
  const std::uint64_t row_bytes = width * sizeof(Dwell);
  auto* const bytes = reinterpret_cast<std::uint8_t*>(task.image.dwells);
  if (row_bytes % sizeof(uint4) == 0) {
    launch_items(copy_mirrored_kernel<uint4>, row_bytes / sizeof(uint4) * copied, stream,
                 reinterpret_cast<uint4*>(bytes), FastDivisor<std::uint64_t>(row_bytes / sizeof(uint4)),
                 task.cut.height);
  } else {
    launch_items(copy_mirrored_kernel<Dwell>, width * copied, stream, task.image.dwells,
                 FastDivisor<std::uint64_t>(width), task.cut.height);
  }
}

template <typename Real, typename Dwell>
void find_differences(const DwellTask<Real, Dwell>& task, unsigned long long* count, DwellDifference* places,
                      std::uint64_t capacity, const Stream& stream) {
  launch_items(find_differences_kernel<Real, Dwell>, std::uint64_t{task.cut.width} * task.cut.height, stream,
               task, count, places, capacity);
}

void narrow_dwells(const std::uint32_t* dwells, std::uint16_t* narrow, std::uint64_t count,
                   const Stream& stream) {
  launch_items(narrow_kernel, count, stream, dwells, narrow, count);
}

#define LOOM_INSTANTIATE(Real, Dwell)                                                                  \
  template void compute_exhaustive(const DwellTask<Real, Dwell>&, BlockShape, const Stream&);          \
  template void compute_ask_level(const DwellTask<Real, Dwell>&, const AskTables&, const AskLaunch&,   \
                                  const Stream&);                                                      \
  template void mirror_image(const DwellTask<Real, Dwell>&, const Stream&);                            \
  template void find_differences(const DwellTask<Real, Dwell>&, unsigned long long*, DwellDifference*, \
                                 std::uint64_t, const Stream&);
LOOM_INSTANTIATE(float, std::uint16_t)
LOOM_INSTANTIATE(float, std::uint32_t)
LOOM_INSTANTIATE(double, std::uint16_t)
LOOM_INSTANTIATE(double, std::uint32_t)
#undef LOOM_INSTANTIATE

}  // namespace loom::cuda
