#pragma once

#include "compute/cuda/check.h"
#include "compute/cuda/device_buffer.h"
#include "compute/cuda/stream.h"
#include "compute/engine/thread_count.h"

namespace loom::cuda {

/// Sums that kernels over words accumulate in device memory: the sum of a reduction, or the thread counts of
/// a step's grid.
class DeviceSums {
 public:
  DeviceSums() : sums_(kCounters) {}
  unsigned long long* sum() const { return sums_.data(); }
  /// Enqueues a copy of the sum into page-locked memory.
  void copy_sum(unsigned long long* to, const Stream& stream) const {
    LOOM_CUDA(cudaMemcpyAsync(to, sums_.data(), sizeof(*to), cudaMemcpyDeviceToHost, stream.get()));
  }
  /// `enqueue(counts)` adds threads to counts[0], threads with cells to counts[1], thread blocks to counts[2]
  /// and thread blocks with cells to counts[3]. Waits.
  template <typename Enqueue>
  ThreadCount count_threads(const Stream& stream, const Enqueue& enqueue) const {
    LOOM_CUDA(cudaMemsetAsync(sums_.data(), 0, kCounters * sizeof(unsigned long long), stream.get()));
    enqueue(sums_.data());
    unsigned long long counts[kCounters] = {};
    LOOM_CUDA(cudaMemcpyAsync(counts, sums_.data(), sizeof(counts), cudaMemcpyDeviceToHost, stream.get()));
    stream.wait();
    return {.thread_blocks = counts[2],
            .tiles_launched = counts[2],
            .tiles_occupied = counts[3],
            .threads_launched = counts[0],
            .threads_active = counts[1]};
  }

 private:
  static constexpr int kCounters = 4;
  DeviceBuffer<unsigned long long> sums_;
};

}  // namespace loom::cuda
