#pragma once

#include <cstdint>

#include "compute/cuda/timeline/global_timer.cuh"
#include "compute/cuda/timeline/recording.h"

namespace loom::cuda {

// What instrumented kernels record with. One thread of the block, the one of rank 0, reads the clock, and
// writes when its time is over; a multiprocessor's sums need no answer from memory.

/// Adds a span to the sums of the multiprocessor that the caller runs on.
__device__ __forceinline__ void add_to_worker(const RecordingView& to, std::uint32_t worker,
                                              std::uint64_t begin, std::uint64_t end) {
  if (worker >= to.most_workers) return;
  DeviceWorker& sums = to.workers[worker];
  atomicAdd(&sums.spans, 1ull);
  atomicAdd(&sums.busy, static_cast<unsigned long long>(end - begin));
  atomicMin(&sums.first_begin, static_cast<unsigned long long>(begin));
  atomicMax(&sums.last_end, static_cast<unsigned long long>(end));
}

/// Records thread blocks that do one thing each and are numbered: a span a block, kept where the window holds
/// it.
struct BlockRecorder {
  RecordingView to;
  SpanWindow window;
  std::uint64_t blocks_x = 1;  ///< of the whole launch, to number its blocks row by row
  SpanWork work = SpanWork::kBlocks;

  __device__ __forceinline__ std::uint64_t begin() const { return global_timer(); }
  /// All threads of the thread block take part. `block` is its number, `rank` the caller's.
  __device__ __forceinline__ void end(std::uint64_t begin, std::uint64_t block, std::uint32_t rank) const {
    __syncthreads();
    if (rank != 0) return;
    const std::uint64_t end = global_timer();
    const std::uint32_t worker = multiprocessor();
    add_to_worker(to, worker, begin, end);
    if (!window.holds(block)) return;
    to.spans[window.slot(block)] = {begin,     end, block, worker,
                                    kNoParent, 0,   0,     static_cast<std::uint32_t>(work)};
  }
};

}  // namespace loom::cuda
