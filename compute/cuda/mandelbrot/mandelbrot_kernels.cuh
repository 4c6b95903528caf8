#pragma once

// The kernels of every evaluator and their launches; a source instantiates them by LOOM_INSTANTIATE_DWELLS.

#include "compute/core/fast_divisor.h"
#include "compute/cuda/kernel_occupancy.h"
#include "compute/cuda/launch.cuh"
#include "compute/cuda/mandelbrot/ask_level.cuh"
#include "compute/cuda/mandelbrot/ask_warps.cuh"
#include "compute/cuda/mandelbrot/custom/custom_kernels.h"
#include "compute/cuda/mandelbrot/mandelbrot.h"
#include "compute/perturbation/perturbed.h"

namespace loom::cuda {
namespace {

/// A range of rows is divided into rectangles of the width of a thread block.
template <typename Evaluator, typename Dwell>
__device__ __forceinline__ void compute_row_pieces(const DwellTask<Evaluator, Dwell>& task,
                                                   std::uint32_t blocks_x, const RowRange* pieces,
                                                   std::uint64_t first, std::uint64_t end) {
  for (std::uint64_t block = first + blockIdx.x; block < end; block += gridDim.x) {
    const std::uint64_t piece = block / blocks_x;
    const RowRange rows = pieces[piece];
    const auto x = static_cast<std::uint32_t>((block - piece * blocks_x) * blockDim.x + threadIdx.x);
    const std::uint32_t y = rows.first + threadIdx.y;
    if (x >= task.cut.width || y >= rows.end) continue;
    task.image.at(x, y) = static_cast<Dwell>(exhaustive_dwell(task, Coord32{x, y}));
  }
}
template <typename Evaluator, typename Dwell>
__global__ void __launch_bounds__(kMaxRegionThreads)
    exhaustive_rows_kernel(const __grid_constant__ DwellTask<Evaluator, Dwell> task, std::uint32_t blocks_x,
                           const RowRange* pieces, std::uint64_t first, std::uint64_t end) {
  compute_row_pieces(task, blocks_x, pieces, first, end);
}

/// The border pixels of entries of a level, one thread each; `of_region` is the largest number of border
/// pixels of a region.
template <typename Evaluator, typename Dwell>
__device__ __forceinline__ void compute_border_pixels(const DwellTask<Evaluator, Dwell>& task,
                                                      const AskTables& tables, std::uint32_t parts,
                                                      const FastDivisor<std::uint64_t>& of_region) {
  const std::uint64_t end = tables.end;
  for (std::uint64_t i = tables.first + grid_thread(); i < end; i += grid_stride()) {
    const std::uint64_t entry = of_region.divide(i);
    const auto number = static_cast<std::uint32_t>(i - entry * of_region.value());
    const Coord32 place = tables.read == nullptr ? Coord32{static_cast<std::uint32_t>(entry % parts),
                                                           static_cast<std::uint32_t>(entry / parts)}
                                                 : tables.read[entry];
    const Region region = region_at(task.cut, parts, place.x, place.y);
    if (region.empty() || number >= border_size(region)) continue;
    const Coord32 pixel = border_pixel(region, number);
    task.image.at(pixel.x, pixel.y) = static_cast<Dwell>(exhaustive_dwell(task, pixel));
  }
}
template <typename Evaluator, typename Dwell>
__global__ void ask_borders_kernel(const __grid_constant__ DwellTask<Evaluator, Dwell> task,
                                   const AskTables tables, std::uint32_t parts,
                                   FastDivisor<std::uint64_t> of_region) {
  compute_border_pixels(task, tables, parts, of_region);
}

template <typename Evaluator, typename Dwell>
__device__ __forceinline__ void note_differences(const DwellTask<Evaluator, Dwell>& task, std::uint64_t first,
                                                 std::uint64_t end, unsigned long long* count,
                                                 DwellDifference* places, std::uint64_t capacity) {
  for (std::uint64_t i = first + grid_thread(); i < end; i += grid_stride()) {
    const auto y = static_cast<std::uint32_t>(i / task.cut.width);
    const auto x = static_cast<std::uint32_t>(i - static_cast<std::uint64_t>(y) * task.cut.width);
    const std::uint32_t expected = task.grid.dwell_at(x, y, task.limit);
    const std::uint32_t held = task.image.dwells[i];
    if (held == expected) continue;
    if constexpr (Evaluator::kEstimatesError) {  // computed again with two doubles
      if (task.grid.run(x, y, task.limit).uncertain) continue;
    }
    const unsigned long long slot = atomicAdd(count, 1ull);
    if (slot < capacity) places[slot] = {{x, y}, held, expected};
  }
}
template <typename Evaluator, typename Dwell>
__global__ void find_differences_kernel(const __grid_constant__ DwellTask<Evaluator, Dwell> task,
                                        std::uint64_t first, std::uint64_t end, unsigned long long* count,
                                        DwellDifference* places, std::uint64_t capacity) {
  note_differences(task, first, end, count, places, capacity);
}

/// Lists the pixels from `first` to `end` that were left as kLongOrbit: all of them are counted.
template <typename Evaluator>
__global__ void list_long_orbits_kernel(const DeviceImage<std::uint32_t> image, std::uint64_t first,
                                        std::uint64_t end, unsigned long long* count, Coord32* pixels,
                                        std::uint64_t capacity) {
  for (std::uint64_t i = first + grid_thread(); i < end; i += grid_stride()) {
    if (image.dwells[i] != Evaluator::kLongOrbit) continue;
    const unsigned long long slot = atomicAdd(count, 1ull);
    if (slot >= capacity) continue;
    const std::uint64_t y = i / image.width;
    pixels[slot] = {static_cast<std::uint32_t>(i - y * image.width), static_cast<std::uint32_t>(y)};
  }
}

constexpr unsigned kLongOrbitThreads = 128;

/// Computes listed pixels, `lanes` in each warp, with a search for cycles.
template <bool kSeries, typename Evaluator>
__global__ void __launch_bounds__(kLongOrbitThreads)
    long_orbits_kernel(const __grid_constant__ DwellTask<Evaluator, std::uint32_t> task,
                       const Coord32* pixels, std::uint64_t first, std::uint64_t end, std::uint32_t lanes,
                       std::uint32_t most) {
  const std::uint64_t i = first + grid_thread() / 32 * lanes + threadIdx.x % 32;
  if (threadIdx.x % 32 >= lanes || i >= end) return;
  const Coord32 pixel = pixels[i];
  task.image.at(pixel.x, pixel.y) =
      task.grid.template dwell_unless_longer<kSeries>(pixel.x, pixel.y, task.limit, most);
}

/// The row on the real axis of a mirrored image.
template <typename Evaluator, typename Dwell>
__global__ void axis_kernel(const __grid_constant__ DwellTask<Evaluator, Dwell> task, std::uint64_t first,
                            std::uint64_t end) {
  const std::uint32_t y = task.cut.height / 2;
  for (std::uint64_t x = first + grid_thread(); x < end; x += grid_stride()) {
    const auto column = static_cast<std::uint32_t>(x);
    task.image.at(column, y) = static_cast<Dwell>(exhaustive_dwell(task, Coord32{column, y}));
  }
}

/// Copies each row y to row height - y; a row has chunks_of_row chunks.
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

}  // namespace

template <typename Evaluator, typename Dwell>
void compute_exhaustive(const DwellTask<Evaluator, Dwell>& task, BlockShape block, const DwellSlices& slices,
                        const Stream& stream) {
  const ExhaustiveGrid grid = exhaustive_grid(task.cut, block);
  slices.each_block(
      grid.blocks, steps_of_rectangle(task, block), [&](std::uint64_t first, std::uint64_t end) {
        const auto launched = static_cast<unsigned>(std::min<std::uint64_t>(end - first, grid.launched));
        launch_on_task(slices, "loom_exhaustive", exhaustive_kernel<Evaluator, Dwell, NoRecorder>, launched,
                       dim3(block.x, block.y), stream, task, grid.blocks_x, first, end, NoRecorder{});
      });
}

template <typename Evaluator, typename Dwell>
void compute_exhaustive_rows(const DwellTask<Evaluator, Dwell>& task, BlockShape block,
                             const RowRange* pieces, std::uint64_t count, const DwellSlices& slices,
                             const Stream& stream) {
  constexpr std::uint64_t kMaxGrid = (std::uint64_t{1} << 31) - 1;
  const std::uint32_t blocks_x = (task.cut.width + block.x - 1) / block.x;
  slices.each_block(
      count * blocks_x, steps_of_rectangle(task, block), [&](std::uint64_t first, std::uint64_t end) {
        const auto launched = static_cast<unsigned>(std::min(end - first, kMaxGrid));
        launch_on_task(slices, "loom_exhaustive_rows", exhaustive_rows_kernel<Evaluator, Dwell>, launched,
                       dim3(block.x, block.y), stream, task, blocks_x, pieces, first, end);
      });
}

namespace {

/// Computes the borders of a level's regions, one thread per pixel. Returns the number of regions.
template <typename Evaluator, typename Dwell>
std::uint64_t compute_borders(const DwellTask<Evaluator, Dwell>& task, AskTables tables,
                              const AskLaunch& launch, const RegionSteps& steps, const DwellSlices& slices,
                              const Stream& stream) {
  std::uint64_t regions = launch.max_regions;
  if (launch.level > 0)
    regions = std::min<std::uint64_t>(regions, read_count(&task.counters[launch.level].entries, stream));
  const std::uint32_t parts = parts_at(task.cut, launch.level);
  const FastDivisor<std::uint64_t> pixels(std::max<std::uint64_t>(1, steps.border / task.steps));
  slices.each(regions * pixels.value(), task.steps, [&](std::uint64_t first, std::uint64_t end) {
    tables.first = first;
    tables.end = end;
    launch_on_task(slices, "loom_borders", ask_borders_kernel<Evaluator, Dwell>, blocks_for(end - first),
                   kItemThreads, stream, task, tables, parts, pixels);
  });
  if (regions > 0) slices.between();
  return regions;
}

}  // namespace

template <typename Evaluator, typename Dwell>
std::uint64_t compute_ask_level(const DwellTask<Evaluator, Dwell>& whole, const AskTables& tables,
                                const AskLaunch& launch, const DwellSlices& slices, const Stream& stream) {
  if constexpr (!Evaluator::kKnowsPoint) {
    if (tables.warp_tables != nullptr) {
      compute_ask_by_warps(whole, tables, launch, slices, stream);
      return launch.max_regions;
    }
  }
  const RegionSteps steps(whole.cut, launch.level, whole.steps, launch.block, slices);
  DwellTask<Evaluator, Dwell> task = whole;
  if (steps.within_is_long) task.scheme = RegionScheme::kMbr;
  const dim3 threads(launch.block.x, launch.block.y);
  const bool plain = is_plain_work(task);
  const auto enqueue = [&](MandelbrotKernel which, auto* kernel, unsigned blocks, const auto&... arguments) {
    const bool known = steps.border_is_long;
    const char* const name = which == MandelbrotKernel::kAskJobs ? (plain ? "loom_jobs_plain" : "loom_jobs")
                             : known ? (plain ? "loom_level_known_plain" : "loom_level_known")
                                     : (plain ? "loom_level_plain" : "loom_level");
    launch_on_task(slices, name, kernel, blocks, threads, stream, task, arguments..., NoRegionSpans{});
  };
  if (!steps.border_is_long)
    return for_each_ask_launch<NoRegionSpans>(task, tables, launch, steps, slices, stream, enqueue);
  AskLaunch known = launch;
  known.max_regions = compute_borders(task, tables, launch, steps, slices, stream);
  return for_each_ask_launch<NoRegionSpans, true>(task, tables, known, steps, slices, stream, enqueue);
}

template <typename Evaluator, typename Dwell>
Occupancy timed_occupancy(const DwellTask<Evaluator, Dwell>& task, MandelbrotKernel kernel,
                          BlockShape block) {
  const std::uint32_t threads = block.x * block.y;
  const bool plain = is_plain_work(task);
  using Plain = PublishedBlock<Evaluator, Dwell>;
  using Ideas = OptimisedBlock<Evaluator, Dwell>;
  switch (kernel) {
    case MandelbrotKernel::kAskLevel:
      return kernel_occupancy(plain ? ask_level_kernel<Plain, NoRegionSpans, Evaluator, Dwell>
                                    : ask_level_kernel<Ideas, NoRegionSpans, Evaluator, Dwell>,
                              threads, 0);
    case MandelbrotKernel::kAskJobs:
      return kernel_occupancy(plain ? ask_jobs_kernel<Plain, NoRegionSpans, Evaluator, Dwell>
                                    : ask_jobs_kernel<Ideas, NoRegionSpans, Evaluator, Dwell>,
                              threads, 0);
    case MandelbrotKernel::kExhaustive:
      break;
  }
  return kernel_occupancy(exhaustive_kernel<Evaluator, Dwell, NoRecorder>, threads, 0);
}

template <typename Evaluator, typename Dwell>
void compute_axis(const DwellTask<Evaluator, Dwell>& task, const LaunchSlices& slices, const Stream& stream) {
  slices.each(task.cut.width, task.steps, [&](std::uint64_t first, std::uint64_t end) {
    launch_items(axis_kernel<Evaluator, Dwell>, end - first, stream, task, first, end);
  });
}

template <typename Evaluator, typename Dwell>
void mirror_rows(const DwellTask<Evaluator, Dwell>& task, RowRange rows, const LaunchSlices& slices,
                 const Stream& stream) {
  const std::uint64_t width = task.cut.width;
  const std::uint64_t row_bytes = width * sizeof(Dwell);
  auto* const bytes = reinterpret_cast<std::uint8_t*>(task.image.dwells);
  slices.each(rows.count(), 2 * row_bytes, [&](std::uint64_t first, std::uint64_t end) {
    const RowRange some{rows.first + static_cast<std::uint32_t>(first),
                        rows.first + static_cast<std::uint32_t>(end)};
    if (row_bytes % sizeof(uint4) == 0) {
      launch_items(copy_mirrored_kernel<uint4>, row_bytes / sizeof(uint4) * some.count(), stream,
                   reinterpret_cast<uint4*>(bytes), FastDivisor<std::uint64_t>(row_bytes / sizeof(uint4)),
                   task.cut.height, some);
    } else {
      launch_items(copy_mirrored_kernel<Dwell>, width * some.count(), stream, task.image.dwells,
                   FastDivisor<std::uint64_t>(width), task.cut.height, some);
    }
  });
}

template <typename Evaluator, typename Dwell>
void find_differences(const DwellTask<Evaluator, Dwell>& task, std::uint64_t first, std::uint64_t end,
                      unsigned long long* count, DwellDifference* places, std::uint64_t capacity,
                      const DwellSlices& slices, const Stream& stream) {
  slices.each(end - first, task.steps, [&](std::uint64_t from, std::uint64_t to) {
    launch_on_task(slices, "loom_differences", find_differences_kernel<Evaluator, Dwell>,
                   blocks_for(to - from), kItemThreads, stream, task, first + from, first + to, count, places,
                   capacity);
  });
}

template <typename Evaluator>
void list_long_orbits(const DwellTask<Evaluator, std::uint32_t>& task, std::uint64_t first, std::uint64_t end,
                      unsigned long long* count, Coord32* pixels, std::uint64_t capacity,
                      const Stream& stream) {
  launch_items(list_long_orbits_kernel<Evaluator>, end - first, stream, task.image, first, end, count, pixels,
               capacity);
}

template <typename Evaluator>
void compute_long_orbits(const DwellTask<Evaluator, std::uint32_t>& task, const Coord32* pixels,
                         std::uint64_t count, std::uint32_t most, const LaunchSlices& slices,
                         const Stream& stream) {
  // Without series steps, their registers slow the search down.
  const auto kernel = task.grid.series_of != nullptr ? long_orbits_kernel<true, Evaluator>
                                                     : long_orbits_kernel<false, Evaluator>;
  slices.each(count, task.steps, [&](std::uint64_t first, std::uint64_t end) {
    const std::uint32_t lanes = lanes_of_warp(end - first, slices);
    const std::uint64_t of_block = kLongOrbitThreads / 32 * lanes;
    const auto blocks = static_cast<unsigned>((end - first + of_block - 1) / of_block);
    kernel<<<blocks, kLongOrbitThreads, 0, stream.get()>>>(task, pixels, first, end, lanes, most);
    LOOM_CUDA(cudaGetLastError());
  });
}

#define LOOM_INSTANTIATE_LONG_ORBITS(Evaluator)                                                            \
  template void list_long_orbits(const DwellTask<Evaluator, std::uint32_t>&, std::uint64_t, std::uint64_t, \
                                 unsigned long long*, Coord32*, std::uint64_t, const Stream&);             \
  template void compute_long_orbits(const DwellTask<Evaluator, std::uint32_t>&, const Coord32*,            \
                                    std::uint64_t, std::uint32_t, const LaunchSlices&, const Stream&);

#define LOOM_INSTANTIATE_DWELLS(Evaluator, Dwell)                                                          \
  template void compute_exhaustive(const DwellTask<Evaluator, Dwell>&, BlockShape, const DwellSlices&,     \
                                   const Stream&);                                                         \
  template std::uint64_t compute_ask_level(const DwellTask<Evaluator, Dwell>&, const AskTables&,           \
                                           const AskLaunch&, const DwellSlices&, const Stream&);           \
  template Occupancy timed_occupancy(const DwellTask<Evaluator, Dwell>&, MandelbrotKernel, BlockShape);    \
  template void compute_exhaustive_rows(const DwellTask<Evaluator, Dwell>&, BlockShape, const RowRange*,   \
                                        std::uint64_t, const DwellSlices&, const Stream&);                 \
  template void compute_axis(const DwellTask<Evaluator, Dwell>&, const LaunchSlices&, const Stream&);      \
  template void mirror_rows(const DwellTask<Evaluator, Dwell>&, RowRange, const LaunchSlices&,             \
                            const Stream&);                                                                \
  template void find_differences(const DwellTask<Evaluator, Dwell>&, std::uint64_t, std::uint64_t,         \
                                 unsigned long long*, DwellDifference*, std::uint64_t, const DwellSlices&, \
                                 const Stream&);

}  // namespace loom::cuda
