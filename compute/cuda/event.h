#pragma once

#include <cuda_runtime_api.h>

#include <utility>

#include "compute/cuda/check.h"

namespace loom::cuda {

/// An event on a stream of the device that is current at construction. Streams of other devices may wait for
/// it.
class Event {
 public:
  enum class Timing { kNo, kYes };
  explicit Event(Timing timed = Timing::kNo) {
    LOOM_CUDA(
        cudaEventCreateWithFlags(&event_, timed == Timing::kYes ? cudaEventDefault : cudaEventDisableTiming));
  }
  ~Event() {
    if (event_) LOOM_CUDA_QUIETLY(cudaEventDestroy(event_));
  }
  Event(Event&& other) noexcept : event_(std::exchange(other.event_, nullptr)) {}
  Event& operator=(Event&& other) noexcept {
    std::swap(event_, other.event_);
    return *this;
  }

  void record(cudaStream_t stream) const { LOOM_CUDA(cudaEventRecord(event_, stream)); }
  /// Makes later work on `stream` wait for the event.
  void make_wait(cudaStream_t stream) const { LOOM_CUDA(cudaStreamWaitEvent(stream, event_, 0)); }
  /// Both events must be timed and must have been waited for.
  double milliseconds_since(const Event& earlier) const {
    float milliseconds = 0;
    LOOM_CUDA(cudaEventElapsedTime(&milliseconds, earlier.event_, event_));
    return milliseconds;
  }

 private:
  cudaEvent_t event_ = nullptr;
};

}  // namespace loom::cuda
