#pragma once

#include <cuda_runtime_api.h>

#include <utility>

#include "compute/cuda/check.h"

namespace loom::cuda {

/// The priority of a stream's thread blocks when several streams have pending ones.
enum class StreamPriority { kUsual, kFirst };

/// A stream of the current device.
class Stream {
 public:
  Stream() { LOOM_CUDA(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)); }
  explicit Stream(StreamPriority priority) {
    int least = 0;
    int greatest = 0;
    LOOM_CUDA(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    LOOM_CUDA(cudaStreamCreateWithPriority(&stream_, cudaStreamNonBlocking,
                                           priority == StreamPriority::kFirst ? greatest : least));
  }
  ~Stream() { LOOM_CUDA_QUIETLY(cudaStreamDestroy(stream_)); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  cudaStream_t get() const { return stream_; }
  void wait() const { LOOM_CUDA(cudaStreamSynchronize(stream_)); }

 private:
  cudaStream_t stream_ = nullptr;
};

/// Events on a stream, and the times between them. Events without timing cost less.
template <int kMarks, bool kTimed = true>
class StreamEvents {
 public:
  StreamEvents() {
    try {
      for (cudaEvent_t& event : events_) {
        if constexpr (kTimed) {
          LOOM_CUDA(cudaEventCreate(&event));
        } else {
          LOOM_CUDA(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
        }
      }
    } catch (...) {
      destroy();
      throw;
    }
  }
  ~StreamEvents() { destroy(); }
  StreamEvents(const StreamEvents&) = delete;
  StreamEvents& operator=(const StreamEvents&) = delete;

  void mark(int mark, const Stream& stream) { LOOM_CUDA(cudaEventRecord(events_[mark], stream.get())); }
  /// Makes later work on `stream` wait for an event of another object, if that was recorded.
  void wait_for(const StreamEvents& other, int mark, const Stream& stream) {
    LOOM_CUDA(cudaStreamWaitEvent(stream.get(), other.events_[mark], 0));
  }
  /// The time from one event to a later one. The stream must have been waited for since both were recorded.
  double milliseconds(int first, int last) const requires kTimed {
    float milliseconds = 0;
    LOOM_CUDA(cudaEventElapsedTime(&milliseconds, events_[first], events_[last]));
    return milliseconds;
  }

 private:
  void destroy() noexcept {
    for (const cudaEvent_t event : events_) {
      if (event) LOOM_CUDA_QUIETLY(cudaEventDestroy(event));
    }
  }

  cudaEvent_t events_[kMarks] = {};
};

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
