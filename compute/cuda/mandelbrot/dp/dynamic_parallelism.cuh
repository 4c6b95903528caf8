#pragma once

// The kernels of every evaluator; a source instantiates them by LOOM_INSTANTIATE_DP.

#include "compute/cuda/mandelbrot/dp/dynamic_parallelism.h"
#include "compute/cuda/mandelbrot/region/evaluator_region_block.cuh"
#include "compute/cuda/mandelbrot/region/region_parts.cuh"
#include "compute/cuda/mandelbrot/region/region_spans.cuh"

namespace loom::cuda {
namespace {

/// Called by one thread, directly after a launch: counts it and keeps the first error.
__device__ void note_launch(const DpState& state) {
  atomicAdd(state.launches, 1ull);
  const cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess) atomicCAS(state.launch_error, 0, static_cast<int>(error));
}

// One source for the regular and the instrumented kernels: the regular ones have no `spans`; the instrumented
// ones have a RegionSpans and pass it to the grids that they launch, with the current span as the parent.

template <typename Evaluator, typename Dwell, typename... Spans>
__global__ void __launch_bounds__(kMaxRegionThreads)
    dp_part_kernel(const __grid_constant__ DwellTask<Evaluator, Dwell> task, std::uint32_t level,
                   Region region, std::uint32_t dwell, Spans... spans) {
  __shared__ typename OptimisedBlock<Evaluator, Dwell>::Space space;
  OptimisedBlock<Evaluator, Dwell> block(task, space);
  auto noted = spans_of(spans...).of_block(blockIdx.x, level, block.rank());
  noted.begin(dwell == RegionJob::kLeaf ? SpanWork::kLeaf : SpanWork::kFill);
  work_on_part(block, region, dwell, blockIdx.x);
  block.flush(level);
  noted.end();
}

/// All work on one region except for launching its children. Returns true in all threads if it must be split.
/// The current span is then that of the split; otherwise that of the fill or the leaf or, for an empty
/// region, of its border.
template <typename Evaluator, typename Dwell, typename Noted, typename... Spans>
__device__ bool work_on_region(OptimisedBlock<Evaluator, Dwell>& block,
                               const DwellTask<Evaluator, Dwell>& task, const DpState& state,
                               std::uint32_t level, Coord32 place, Noted& noted, const Spans&... spans) {
  noted.begin(SpanWork::kBorder);
  const Region region = region_at(task.cut, parts_at(task.cut, level), place.x, place.y);
  if (region.empty()) return false;
  std::uint32_t dwell = 0;
  const RegionKind kind = block.explore(region, level, dwell);
  noted.next(work_of(kind));
  if (kind == RegionKind::kSplit) return true;
  if (task.scheme == RegionScheme::kMbr) {
    __threadfence();  // the border, for the thread blocks of the child
    __syncthreads();
    if (block.rank() == 0) {
      dp_part_kernel<Evaluator, Dwell, Spans...>
          <<<parts_of_region(task.cut, level), dim3(blockDim.x, blockDim.y), 0, cudaStreamFireAndForget>>>(
              task, level, region, kind == RegionKind::kLeaf ? RegionJob::kLeaf : dwell,
              noted.under(spans, 1)...);
      note_launch(state);
    }
  } else if (kind == RegionKind::kFill) {
    block.fill(region, dwell);
  } else {
    block.compute_leaf(region);
  }
  return false;
}

/// In the published form a thread block that splits launches a grid of r x r thread blocks, one per child,
/// and `first` is the first region of this grid. With joined launches, the thread blocks of a chain's grid
/// write their children to its table, and the last one to finish launches one grid for all of them. Both use
/// one kernel, since nearly all of it is work_on_region(), which takes long to compile.
template <typename Evaluator, typename Dwell, typename... Spans>
__global__ void __launch_bounds__(kMaxRegionThreads)
    dp_region_kernel(const __grid_constant__ DwellTask<Evaluator, Dwell> task,
                     const __grid_constant__ DpState state, std::uint32_t level, Coord32 first,
                     std::uint32_t chain, Spans... spans) {
  __shared__ typename OptimisedBlock<Evaluator, Dwell>::Space space;
  OptimisedBlock<Evaluator, Dwell> block(task, space);
  auto noted = spans_of(spans...).of_block(blockIdx.y * gridDim.x + blockIdx.x, level, block.rank());
  const std::uint32_t r = task.cut.r;
  const bool joined = state.chains != nullptr;
  // With joined launches, the first grid has the first region of every chain.
  const std::uint32_t mine = level == 0 ? blockIdx.x : chain;
  Coord32 place{first.x + blockIdx.x, first.y + blockIdx.y};
  if (level == state.first_level && state.first_places != nullptr) {
    place = state.first_places[blockIdx.x];
  } else if (joined) {
    place = level == 0 ? Coord32{blockIdx.x % task.cut.first_parts, blockIdx.x / task.cut.first_parts}
                       : state.table_of(mine, level)[blockIdx.x];
  }
  const bool split = work_on_region(block, task, state, level, place, noted, spans...);
  block.flush(level);
  noted.wait();
  if (block.rank() != 0) return noted.finish();
  dim3 children(r, r);
  if (!joined) {
    if (!split) return noted.finish();
    first = {place.x * r, place.y * r};
  } else {
    DpState::Chain& progress = state.chains[mine];
    if (split) {
      const unsigned slot = atomicAdd(&progress.written, r * r);
      Coord32* table = state.table_of(mine, level + 1) + slot;
      for (std::uint32_t i = 0; i < r * r; ++i) table[i] = {place.x * r + i % r, place.y * r + i / r};
    }
    __threadfence();  // the children, before this thread block counts as finished
    const unsigned blocks = level == 0 ? 1 : gridDim.x;
    if (atomicAdd(&progress.finished, 1u) + 1 < blocks) return noted.finish();
    __threadfence();  // all other thread blocks have finished, and their writes are visible from here on
    children = atomicExch(&progress.written, 0u);
    atomicExch(&progress.finished, 0u);
    __threadfence();
    if (children.x == 0) return noted.finish();
  }
  dp_region_kernel<Evaluator, Dwell, Spans...>
      <<<children, dim3(blockDim.x, blockDim.y), 0, cudaStreamFireAndForget>>>(
          task, state, level + 1, first, mine, noted.under(spans, 0)...);
  note_launch(state);
  noted.finish();
}

/// Launches the first grid.
template <typename Evaluator, typename Dwell, typename... Spans>
cudaError_t start(const DwellTask<Evaluator, Dwell>& task, const DpState& state, BlockShape block,
                  cudaStream_t stream, Spans... spans) {
  dp_region_kernel<Evaluator, Dwell, Spans...>
      <<<first_blocks(task.cut, state), dim3(block.x, block.y), 0, stream>>>(task, state, state.first_level,
                                                                             Coord32{0, 0}, 0, spans...);
  return cudaGetLastError();
}

}  // namespace

template <typename Evaluator, typename Dwell>
cudaError_t compute_by_dynamic_parallelism(const DwellTask<Evaluator, Dwell>& task, const DpState& state,
                                           BlockShape block, cudaStream_t stream) {
  return start(task, state, block, stream);
}

#define LOOM_INSTANTIATE_DP(Evaluator, Dwell)                                                             \
  template cudaError_t compute_by_dynamic_parallelism(const DwellTask<Evaluator, Dwell>&, const DpState&, \
                                                      BlockShape, cudaStream_t);

}  // namespace loom::cuda
