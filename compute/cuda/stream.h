#pragma once

#include <cuda_runtime_api.h>

#include "compute/cuda/check.h"

namespace loom::cuda {

/// Whose thread blocks are begun first, where several streams have some.
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

/// Points in what a stream does, and the time between them. Those that are not timed cost less.
template <int kMarks, bool kTimed = true>
class StreamMarks {
 public:
  StreamMarks() {
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
  ~StreamMarks() { destroy(); }
  StreamMarks(const StreamMarks&) = delete;
  StreamMarks& operator=(const StreamMarks&) = delete;

  void mark(int mark, const Stream& stream) { LOOM_CUDA(cudaEventRecord(events_[mark], stream.get())); }
  /// What comes on `stream` from now on waits for a mark of another's, where that was set.
  void wait_for(const StreamMarks& other, int mark, const Stream& stream) {
    LOOM_CUDA(cudaStreamWaitEvent(stream.get(), other.events_[mark], 0));
  }
  /// From one mark to a later one. The stream has been waited for since both were set.
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

}  // namespace loom::cuda
