#pragma once

#include <algorithm>
#include <cstdint>

#include "compute/cuda/check.h"
#include "compute/cuda/launch.cuh"
#include "compute/cuda/mandelbrot/mandelbrot.h"
#include "compute/cuda/mandelbrot/region/evaluator_region_block.cuh"
#include "compute/cuda/mandelbrot/region/region_parts.cuh"
#include "compute/cuda/mandelbrot/region/region_spans.cuh"
#include "compute/cuda/timeline/span_recorder.cuh"
#include "compute/mandelbrot/smooth_dwell.h"

namespace loom::cuda {

// The exhaustive kernel, and the work of one thread block of the others, shared by the regular kernels and
// their instrumented copies.
// Recording is the recorder of spans, or does nothing (region_spans.cuh).

/// The calling thread's pixel in rectangle `block` of the exhaustive method; false if it is outside of the
/// image.
__device__ __forceinline__ bool exhaustive_pixel(const Subdivision& cut, std::uint32_t blocks_x,
                                                 std::uint64_t block, Coord32& pixel) {
  const std::uint64_t row = block / blocks_x;
  const std::uint64_t x = (block - row * blocks_x) * blockDim.x + threadIdx.x;
  const std::uint64_t y = row * blockDim.y + threadIdx.y;
  pixel = {static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y)};
  return x < cut.width && y < cut.height;
}

/// Computes a pixel by its evaluator; a known point by the plain loop, unless it is known not to escape.
template <typename Evaluator, typename Dwell>
__device__ __forceinline__ std::uint32_t exhaustive_dwell(const DwellTask<Evaluator, Dwell>& task,
                                                          Coord32 pixel) {
  if constexpr (Evaluator::kKnowsPoint) {
    const Complex<typename Evaluator::Value> point = task.grid.at(pixel.x, pixel.y);
    if constexpr (Evaluator::kKnowsInterior) {
      return task.optimisations.interior && is_known_interior(point)
                 ? task.limit
                 : task.grid.plain_dwell(point, task.limit);
    } else {
      return task.grid.plain_dwell(point, task.limit);
    }
  } else {
    return task.grid.dwell_unless_long(pixel.x, pixel.y, task.limit);
  }
}

/// The smooth dwells of the pixels from `first` to `end`.
template <typename Evaluator, typename Dwell>
__device__ __forceinline__ void smooth_pixels(const DwellTask<Evaluator, Dwell>& task, std::uint64_t first,
                                              std::uint64_t end, std::uint32_t* smooth) {
  for (std::uint64_t i = first + grid_thread(); i < end; i += grid_stride()) {
    const std::uint32_t dwell = task.image.dwells[i];
    if (dwell >= task.limit) {
      smooth[i] = task.limit << smooth_digits(task.limit);
      continue;
    }
    const auto y = static_cast<std::uint32_t>(i / task.cut.width);
    const auto x = static_cast<std::uint32_t>(i - static_cast<std::uint64_t>(y) * task.cut.width);
    smooth[i] = smooth_fixed(task.grid.smooth_at(x, y, dwell), task.limit);
  }
}

/// The exhaustive method's work on rectangle `block`: one pixel per thread.
template <typename Evaluator, typename Dwell>
__device__ __forceinline__ void compute_rectangle(const DwellTask<Evaluator, Dwell>& task,
                                                  std::uint32_t blocks_x, std::uint64_t block) {
  Coord32 pixel;
  if (!exhaustive_pixel(task.cut, blocks_x, block, pixel)) return;
  task.image.at(pixel.x, pixel.y) = static_cast<Dwell>(exhaustive_dwell(task, pixel));
}

/// The exhaustive method's kernel. Recorder is NoRecorder, or BlockRecorder in the instrumented copy.
template <typename Evaluator, typename Dwell, typename Recorder>
__global__ void __launch_bounds__(kMaxRegionThreads)
    exhaustive_kernel(const __grid_constant__ DwellTask<Evaluator, Dwell> task, std::uint32_t blocks_x,
                      std::uint64_t first, std::uint64_t end, const __grid_constant__ Recorder recorder) {
  record_work(
      recorder,
      [&] {
        for (std::uint64_t block = first + blockIdx.x; block < end; block += gridDim.x)
          compute_rectangle(task, blocks_x, block);
      },
      [&] {
        return Coord64{first + blockIdx.x, 0};
      });
}

/// The next item from `begin` on for this thread block, the same in all its threads: from the queue, or in a
/// fixed stride that starts at the thread block's index. All threads must take part. Contains a barrier.
__device__ __forceinline__ unsigned long long take_item(unsigned long long* queue, bool use_queue,
                                                        unsigned long long begin, unsigned long long previous,
                                                        bool is_first, RegionAtWork& space,
                                                        std::uint32_t rank) {
  __syncthreads();  // all threads have finished the previous item and its shared data
  if (!use_queue) return is_first ? begin + blockIdx.x : previous + gridDim.x;
  if (rank == 0) space.index = begin + atomicAdd(queue, 1ull);
  __syncthreads();
  return space.index;
}

/// One level; each thread block processes one region at a time: border, then fill, leaf or split. With MBR,
/// fills and leaves become jobs. Block is RegionBlock or PlainRegionBlock.
template <typename Block, typename Evaluator, typename Dwell, typename Recording>
__device__ __forceinline__ void ask_level_block(const DwellTask<Evaluator, Dwell>& task,
                                                const AskTables& tables, std::uint32_t level,
                                                std::uint32_t parts, const Recording& recording,
                                                typename Block::Space& space) {
  Block block(task, space);
  auto spans = recording.of_block(blockIdx.x, level, block.rank());
  LevelCounters& counters = task.counters[level];
  const std::uint32_t r = task.cut.r;
  const unsigned long long entries =
      min(tables.read == nullptr ? task.cut.first_regions() : counters.entries, tables.end);
  unsigned long long index = 0;
  for (bool first = true;; first = false) {
    index =
        take_item(&counters.taken, task.optimisations.queue, tables.first, index, first, space, block.rank());
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
    spans.at(place, parts);
    std::uint32_t dwell = 0;
    spans.begin(SpanWork::kBorder);
    const RegionKind kind = block.explore(region, level, dwell);
    spans.next(work_of(kind));
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
    spans.end();
  }
  spans.leave();
  block.flush(level);
}

/// MBR: the fills and leaves of a level, each divided into parts that thread blocks process one at a time.
template <typename Block, typename Evaluator, typename Dwell, typename Recording>
__device__ __forceinline__ void ask_jobs_block(const DwellTask<Evaluator, Dwell>& task,
                                               const AskTables& tables, std::uint32_t level,
                                               std::uint32_t parts, std::uint32_t job_parts,
                                               const Recording& recording, typename Block::Space& space) {
  Block block(task, space);
  auto spans = recording.of_block(blockIdx.x, level, block.rank());
  LevelCounters& counters = task.counters[level];
  const unsigned long long items = min(counters.jobs * job_parts, tables.end);
  unsigned long long item = 0;
  for (bool first = true;; first = false) {
    item = take_item(&counters.jobs_taken, task.optimisations.queue, tables.first, item, first, space,
                     block.rank());
    if (item >= items) break;
    const RegionJob job = tables.jobs[item / job_parts];
    if (block.rank() == 0) space.region = region_at(task.cut, parts, job.place.x, job.place.y);
    __syncthreads();
    spans.at(job.place, parts);
    spans.begin(job.dwell == RegionJob::kLeaf ? SpanWork::kLeaf : SpanWork::kFill);
    work_on_part(block, space.region, job.dwell, static_cast<std::uint32_t>(item % job_parts));
    spans.end();
  }
  spans.leave();
  block.flush(level);
}

/// The number of thread blocks of a launch over the regions of a level, or over the parts of each. With a
/// queue: as many as are resident on the device. With a fixed stride: several times as many, so that the
/// hardware starts the next one on any free multiprocessor, as in the published form with one thread block
/// per region. At most the number of items.
template <typename... Parameters>
unsigned level_blocks(const MandelbrotOptimisations& optimisations, void (*kernel)(Parameters...),
                      const AskLaunch& launch, std::uint32_t parts = 1) {
  constexpr int kTimesResident = 32;
  int per_multiprocessor = 0;
  LOOM_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
      &per_multiprocessor, kernel, static_cast<int>(launch.block.x * launch.block.y), 0));
  const auto resident = static_cast<std::uint64_t>(std::max(1, per_multiprocessor) * launch.multiprocessors);
  return static_cast<unsigned>(std::clamp<std::uint64_t>(
      launch.max_regions * parts, 1, optimisations.queue ? resident : kTimesResident * resident));
}

/// Launches work on the items of a level in parts of limited length: launch(tables, items of the part).
/// `taken` is the queue's counter, which is reset for each part.
template <typename Launch>
void in_parts(const LaunchSlices& slices, const AskTables& tables, std::uint64_t items,
              std::uint64_t steps_of_item, unsigned long long* taken, const Stream& stream,
              const Launch& launch) {
  slices.each_block(items, steps_of_item, [&](std::uint64_t first, std::uint64_t end) {
    if (first > 0) LOOM_CUDA(cudaMemsetAsync(taken, 0, sizeof(*taken), stream.get()));
    AskTables part = tables;
    part.first = first;
    part.end = end;
    launch(part, end - first);
    LOOM_CUDA(cudaGetLastError());
  });
}

/// Steps per thread block of an exhaustive computation (LaunchSlices).
template <typename Evaluator, typename Dwell>
std::uint64_t steps_of_rectangle(const DwellTask<Evaluator, Dwell>& task, BlockShape block) {
  return std::uint64_t{block.x} * block.y * task.steps;
}

/// The grid of an exhaustive computation.
struct ExhaustiveGrid {
  std::uint32_t blocks_x;
  std::uint64_t blocks;  ///< rectangles of the thread block's shape
  unsigned launched;     ///< thread blocks
};
inline ExhaustiveGrid exhaustive_grid(const Subdivision& cut, BlockShape block) {
  constexpr std::uint64_t kMaxGrid = (std::uint64_t{1} << 31) - 1;
  ExhaustiveGrid grid{(cut.width + block.x - 1) / block.x, 0, 0};
  grid.blocks = std::uint64_t{grid.blocks_x} * ((cut.height + block.y - 1) / block.y);
  grid.launched = static_cast<unsigned>(std::min(grid.blocks, kMaxGrid));
  return grid;
}

}  // namespace loom::cuda
