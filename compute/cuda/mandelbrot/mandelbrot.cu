#include "compute/core/fast_divisor.h"
#include "compute/cuda/kernel_occupancy.h"
#include "compute/cuda/launch.cuh"
#include "compute/cuda/mandelbrot/kernel_blocks.cuh"
#include "compute/cuda/mandelbrot/mandelbrot.h"

namespace loom::cuda {
namespace {

template <typename Real, typename Dwell>
__global__ void __launch_bounds__(kMaxRegionThreads)
    exhaustive_kernel(const __grid_constant__ DwellTask<Real, Dwell> task, std::uint32_t blocks_x,
                      std::uint64_t first, std::uint64_t end) {
  for (std::uint64_t block = first + blockIdx.x; block < end; block += gridDim.x) {
    compute_rectangle(task, blocks_x, block);
  }
}

/// A stretch of rows is cut into rectangles as wide as a block.
template <typename Real, typename Dwell>
__global__ void __launch_bounds__(kMaxRegionThreads)
    exhaustive_rows_kernel(const __grid_constant__ DwellTask<Real, Dwell> task, std::uint32_t blocks_x,
                           const RowRange* pieces, std::uint64_t first, std::uint64_t end) {
  for (std::uint64_t block = first + blockIdx.x; block < end; block += gridDim.x) {
    const std::uint64_t piece = block / blocks_x;
    const RowRange rows = pieces[piece];
    const auto x = static_cast<std::uint32_t>((block - piece * blocks_x) * blockDim.x + threadIdx.x);
    const std::uint32_t y = rows.first + threadIdx.y;
    if (x >= task.cut.width || y >= rows.end) continue;
    task.image.at(x, y) = static_cast<Dwell>(exhaustive_dwell(task, task.grid.at(x, y)));
  }
}

// Block is RegionBlock or PlainRegionBlock.

template <typename Block, typename Real, typename Dwell>
__global__ void __launch_bounds__(kMaxRegionThreads)
    ask_level_kernel(const __grid_constant__ DwellTask<Real, Dwell> task, const AskTables tables,
                     std::uint32_t level, std::uint32_t parts) {
  __shared__ typename Block::Space space;
  ask_level_block<Block>(task, tables, level, parts, NoRegionSpans{}, space);
}

template <typename Block, typename Real, typename Dwell>
__global__ void __launch_bounds__(kMaxRegionThreads)
    ask_jobs_kernel(const __grid_constant__ DwellTask<Real, Dwell> task, const AskTables tables,
                    std::uint32_t level, std::uint32_t parts, std::uint32_t job_parts) {
  __shared__ typename Block::Space space;
  ask_jobs_block<Block>(task, tables, level, parts, job_parts, NoRegionSpans{}, space);
}

template <typename Real, typename Dwell>
__global__ void find_differences_kernel(const __grid_constant__ DwellTask<Real, Dwell> task,
                                        std::uint64_t first, std::uint64_t end, unsigned long long* count,
                                        DwellDifference* places, std::uint64_t capacity) {
  for (std::uint64_t i = first + grid_thread(); i < end; i += grid_stride()) {
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
    task.image.at(column, y) = static_cast<Dwell>(exhaustive_dwell(task, task.grid.at(column, y)));
  }
}

/// Copies each of the rows y to row height - y; a row is chunks_of_row chunks.
template <typename Chunk>
__global__ void copy_mirrored_kernel(Chunk* __restrict__ image, FastDivisor<std::uint64_t> chunks_of_row,
                                     std::uint32_t height, RowRange rows) {
  const std::uint64_t chunks = chunks_of_row.value() * (rows.end - rows.first);
  for (std::uint64_t i = grid_thread(); i < chunks; i += grid_stride()) {
    const std::uint64_t row = chunks_of_row.divide(i);
    const std::uint64_t x = i - row * chunks_of_row.value();
    const std::uint64_t above = rows.end - 1 - row;  // the copies are written in order
    image[(height - above) * chunks_of_row.value() + x] = image[above * chunks_of_row.value() + x];
  }
}

__global__ void narrow_kernel(const std::uint32_t* dwells, std::uint16_t* narrow, std::uint64_t count) {
  for (std::uint64_t i = grid_thread(); i < count; i += grid_stride()) {
    narrow[i] = static_cast<std::uint16_t>(dwells[i]);
  }
}

}  // namespace

template <typename Real, typename Dwell>
void compute_exhaustive(const DwellTask<Real, Dwell>& task, BlockShape block, const LaunchSlices& slices,
                        const Stream& stream) {
  const ExhaustiveGrid grid = exhaustive_grid(task.cut, block);
  const std::uint64_t steps_of_block = std::uint64_t{block.x} * block.y * task.limit;
  slices.each(grid.blocks, steps_of_block, [&](std::uint64_t first, std::uint64_t end) {
    const auto launched = static_cast<unsigned>(std::min<std::uint64_t>(end - first, grid.launched));
    exhaustive_kernel<<<launched, dim3(block.x, block.y), 0, stream.get()>>>(task, grid.blocks_x, first, end);
    LOOM_CUDA(cudaGetLastError());
  });
}

template <typename Real, typename Dwell>
void compute_exhaustive_rows(const DwellTask<Real, Dwell>& task, BlockShape block, const RowRange* pieces,
                             std::uint64_t count, const LaunchSlices& slices, const Stream& stream) {
  constexpr std::uint64_t kMaxGrid = (std::uint64_t{1} << 31) - 1;
  const std::uint32_t blocks_x = (task.cut.width + block.x - 1) / block.x;
  const std::uint64_t steps_of_block = std::uint64_t{block.x} * block.y * task.limit;
  slices.each(count * blocks_x, steps_of_block, [&](std::uint64_t first, std::uint64_t end) {
    const auto launched = static_cast<unsigned>(std::min(end - first, kMaxGrid));
    exhaustive_rows_kernel<<<launched, dim3(block.x, block.y), 0, stream.get()>>>(task, blocks_x, pieces,
                                                                                  first, end);
    LOOM_CUDA(cudaGetLastError());
  });
}

template <typename Real, typename Dwell>
void compute_ask_level(const DwellTask<Real, Dwell>& task, const AskTables& tables, const AskLaunch& launch,
                       const Stream& stream) {
  const dim3 threads(launch.block.x, launch.block.y);
  const std::uint32_t parts = parts_at(task.cut, launch.level);
  const bool plain = is_plain_work(task.ideas);
  const auto level_kernel = plain ? ask_level_kernel<PlainRegionBlock<Real, Dwell>, Real, Dwell>
                                  : ask_level_kernel<RegionBlock<Real, Dwell>, Real, Dwell>;
  const unsigned blocks = level_blocks(task.ideas, level_kernel, launch);
  level_kernel<<<blocks, threads, 0, stream.get()>>>(task, tables, launch.level, parts);
  LOOM_CUDA(cudaGetLastError());
  if (task.scheme != RegionScheme::kMbr) return;
  const std::uint32_t job_parts = parts_of_region(task.cut, launch.level);
  const auto jobs_kernel = plain ? ask_jobs_kernel<PlainRegionBlock<Real, Dwell>, Real, Dwell>
                                 : ask_jobs_kernel<RegionBlock<Real, Dwell>, Real, Dwell>;
  const unsigned job_blocks = level_blocks(task.ideas, jobs_kernel, launch, job_parts);
  jobs_kernel<<<job_blocks, threads, 0, stream.get()>>>(task, tables, launch.level, parts, job_parts);
  LOOM_CUDA(cudaGetLastError());
}

template <typename Real, typename Dwell>
Occupancy timed_occupancy(const DwellTask<Real, Dwell>& task, MandelbrotKernel kernel, BlockShape block) {
  const std::uint32_t threads = block.x * block.y;
  const bool plain = is_plain_work(task.ideas);
  switch (kernel) {
    case MandelbrotKernel::kAskLevel:
      return plain
                 ? kernel_occupancy(ask_level_kernel<PlainRegionBlock<Real, Dwell>, Real, Dwell>, threads, 0)
                 : kernel_occupancy(ask_level_kernel<RegionBlock<Real, Dwell>, Real, Dwell>, threads, 0);
    case MandelbrotKernel::kAskJobs:
      return plain ? kernel_occupancy(ask_jobs_kernel<PlainRegionBlock<Real, Dwell>, Real, Dwell>, threads, 0)
                   : kernel_occupancy(ask_jobs_kernel<RegionBlock<Real, Dwell>, Real, Dwell>, threads, 0);
    case MandelbrotKernel::kExhaustive:
      break;
  }
  return kernel_occupancy(exhaustive_kernel<Real, Dwell>, threads, 0);
}

template <typename Real, typename Dwell>
void compute_axis(const DwellTask<Real, Dwell>& task, const Stream& stream) {
  launch_items(axis_kernel<Real, Dwell>, task.cut.width, stream, task);
}

template <typename Real, typename Dwell>
void mirror_rows(const DwellTask<Real, Dwell>& task, RowRange rows, const Stream& stream) {
  const std::uint64_t width = task.cut.width;
  const std::uint64_t row_bytes = width * sizeof(Dwell);
  auto* const bytes = reinterpret_cast<std::uint8_t*>(task.image.dwells);
  if (row_bytes % sizeof(uint4) == 0) {
    launch_items(copy_mirrored_kernel<uint4>, row_bytes / sizeof(uint4) * rows.count(), stream,
                 reinterpret_cast<uint4*>(bytes), FastDivisor<std::uint64_t>(row_bytes / sizeof(uint4)),
                 task.cut.height, rows);
  } else {
    launch_items(copy_mirrored_kernel<Dwell>, width * rows.count(), stream, task.image.dwells,
                 FastDivisor<std::uint64_t>(width), task.cut.height, rows);
  }
}

template <typename Real, typename Dwell>
void find_differences(const DwellTask<Real, Dwell>& task, std::uint64_t first, std::uint64_t end,
                      unsigned long long* count, DwellDifference* places, std::uint64_t capacity,
                      const LaunchSlices& slices, const Stream& stream) {
  slices.each(end - first, task.limit, [&](std::uint64_t from, std::uint64_t to) {
    launch_items(find_differences_kernel<Real, Dwell>, to - from, stream, task, first + from, first + to,
                 count, places, capacity);
  });
}

void narrow_dwells(const std::uint32_t* dwells, std::uint16_t* narrow, std::uint64_t count,
                   const Stream& stream) {
  launch_items(narrow_kernel, count, stream, dwells, narrow, count);
}

#define LOOM_INSTANTIATE(Real, Dwell)                                                                       \
  template void compute_exhaustive(const DwellTask<Real, Dwell>&, BlockShape, const LaunchSlices&,          \
                                   const Stream&);                                                          \
  template void compute_ask_level(const DwellTask<Real, Dwell>&, const AskTables&, const AskLaunch&,        \
                                  const Stream&);                                                           \
  template Occupancy timed_occupancy(const DwellTask<Real, Dwell>&, MandelbrotKernel, BlockShape);          \
  template void compute_exhaustive_rows(const DwellTask<Real, Dwell>&, BlockShape, const RowRange*,         \
                                        std::uint64_t, const LaunchSlices&, const Stream&);                 \
  template void compute_axis(const DwellTask<Real, Dwell>&, const Stream&);                                 \
  template void mirror_rows(const DwellTask<Real, Dwell>&, RowRange, const Stream&);                        \
  template void find_differences(const DwellTask<Real, Dwell>&, std::uint64_t, std::uint64_t,               \
                                 unsigned long long*, DwellDifference*, std::uint64_t, const LaunchSlices&, \
                                 const Stream&);
LOOM_INSTANTIATE(float, std::uint16_t)
LOOM_INSTANTIATE(float, std::uint32_t)
LOOM_INSTANTIATE(double, std::uint16_t)
LOOM_INSTANTIATE(double, std::uint32_t)
#undef LOOM_INSTANTIATE

}  // namespace loom::cuda
