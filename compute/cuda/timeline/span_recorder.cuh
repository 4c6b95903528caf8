#pragma once

#include <cstdint>
#include <type_traits>

#include "compute/core/coord.h"
#include "compute/cuda/timeline/recording.h"

namespace loom::cuda {

/// Nanoseconds of the clock that all multiprocessors of a device share; its resolution depends on the device
/// (PTX ISA, "Special Registers: %globaltimer").
__device__ __forceinline__ std::uint64_t global_timer() {
  std::uint64_t now = 0;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now)::"memory");
  return now;
}

/// The same, read once `ready` is known, if it is not 0; otherwise 0. An assembler may move a plain read of
/// the clock across a barrier; this read depends on the barrier's result.
__device__ __forceinline__ std::uint64_t global_timer_after(int ready) {
  std::uint64_t now = 0;
  asm volatile(
      "{ .reg .pred known; setp.ne.s32 known, %1, 0; mov.u64 %0, 0; @known mov.u64 %0, %%globaltimer; }"
      : "=l"(now)
      : "r"(ready)
      : "memory");
  return now;
}

/// The index of the multiprocessor that the calling thread runs on.
__device__ __forceinline__ std::uint32_t multiprocessor() {
  std::uint32_t number = 0;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(number));
  return number;
}

// The recorder of instrumented kernels. The thread of rank 0 of a thread block reads the clock, and writes
// after the measured time; the sums per multiprocessor need no result from memory.

/// Adds a span to the sums of the caller's multiprocessor.
__device__ __forceinline__ void add_to_worker(const RecordingView& to, std::uint32_t worker,
                                              std::uint64_t begin, std::uint64_t end) {
  if (worker >= to.max_workers) return;
  DeviceWorker& sums = to.workers[worker];
  atomicAdd(&sums.spans, 1ull);
  atomicAdd(&sums.busy, static_cast<unsigned long long>(end - begin));
  atomicMin(&sums.first_begin, static_cast<unsigned long long>(begin));
  atomicMax(&sums.last_end, static_cast<unsigned long long>(end));
}

/// Records numbered thread blocks with one kind of work each: one span per thread block, kept if it is in the
/// window.
struct BlockRecorder {
  RecordingView to;
  SpanWindow window;
  std::uint64_t blocks_x = 1;  ///< of the whole launch, for row-major numbers of its thread blocks
  SpanWork work = SpanWork::kBlocks;

  /// All threads of the thread block must take part. Later work cannot begin before the clock is read.
  __device__ __forceinline__ std::uint64_t begin() const {
    const std::uint64_t now = global_timer();
    return __syncthreads_or(now == 0) ? 0 : now;
  }
  /// All threads of the thread block must take part. `place()` is the thread block's coordinate in the whole
  /// launch. Only the thread that writes calls it, because in short thread blocks the instructions of all
  /// warps would be noticeable.
  template <typename Place>
  __device__ __forceinline__ void end(std::uint64_t begin, const Place& place) const {
    const int all_done = __syncthreads_and(1);
    if ((threadIdx.x | threadIdx.y | threadIdx.z) != 0) return;
    const std::uint64_t end = global_timer_after(all_done);
    const std::uint32_t worker = multiprocessor();
    add_to_worker(to, worker, begin, end);
    const Coord64 at = place();
    const std::uint64_t block = at.y * blocks_x + at.x;
    if (!window.holds(block)) return;
    to.spans[window.slot(block)] = {begin,     end, block, worker,
                                    kNoParent, 0,   0,     static_cast<std::uint32_t>(work)};
  }
};

/// For the kernels that are timed.
struct NoRecorder {};

/// Does the work of a thread block, and records it if there is a recorder. `place()` as in
/// BlockRecorder::end().
template <typename Recorder, typename Work, typename Place>
__device__ __forceinline__ void record_work(const Recorder& recorder, const Work& work, const Place& place) {
  if constexpr (std::is_same_v<Recorder, NoRecorder>) {
    work();
  } else {
    const std::uint64_t begin = recorder.begin();
    work();
    recorder.end(begin, place);
  }
}

}  // namespace loom::cuda
