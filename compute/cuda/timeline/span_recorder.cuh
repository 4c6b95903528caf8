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

  /// All threads of the thread block take part. The barrier keeps the compiler from reading the clock later:
  /// without it 10 % of an exhaustive block's time lay before the read (measured on an H200).
  __device__ __forceinline__ std::uint64_t begin() const {
    const std::uint64_t now = global_timer();
    __syncthreads();
    return now;
  }
  /// All threads of the thread block take part. `number()` is its number: only the thread that writes asks,
  /// for where thread blocks are short the instructions of all their warps show.
  template <typename Number>
  __device__ __forceinline__ void end(std::uint64_t begin, const Number& number) const {
    __syncthreads();
    if ((threadIdx.x | threadIdx.y | threadIdx.z) != 0) return;
    const std::uint64_t end = global_timer();
    const std::uint32_t worker = multiprocessor();
    add_to_worker(to, worker, begin, end);
    const std::uint64_t block = number();
    if (!window.holds(block)) return;
    to.spans[window.slot(block)] = {begin,     end, block, worker,
                                    kNoParent, 0,   0,     static_cast<std::uint32_t>(work)};
  }
};

}  // namespace loom::cuda
