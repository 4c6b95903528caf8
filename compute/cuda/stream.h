#pragma once

#include <cuda_runtime_api.h>

#include "compute/cuda/check.h"

namespace loom::cuda {

/// A stream of the current device.
class Stream {
 public:
  Stream() { LOOM_CUDA(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)); }
  ~Stream() { LOOM_CUDA_QUIETLY(cudaStreamDestroy(stream_)); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  cudaStream_t get() const { return stream_; }
  void wait() const { LOOM_CUDA(cudaStreamSynchronize(stream_)); }

 private:
  cudaStream_t stream_ = nullptr;
};

/// Times what a stream does between start() and stop().
class StreamTimer {
 public:
  StreamTimer() {
    LOOM_CUDA(cudaEventCreate(&start_));
    LOOM_CUDA(cudaEventCreate(&stop_));
  }
  ~StreamTimer() {
    LOOM_CUDA_QUIETLY(cudaEventDestroy(start_));
    LOOM_CUDA_QUIETLY(cudaEventDestroy(stop_));
  }
  StreamTimer(const StreamTimer&) = delete;
  StreamTimer& operator=(const StreamTimer&) = delete;

  void start(const Stream& stream) { LOOM_CUDA(cudaEventRecord(start_, stream.get())); }
  /// Waits for the stream; returns milliseconds since start().
  double stop(const Stream& stream) {
    LOOM_CUDA(cudaEventRecord(stop_, stream.get()));
    LOOM_CUDA(cudaEventSynchronize(stop_));
    float milliseconds = 0;
    LOOM_CUDA(cudaEventElapsedTime(&milliseconds, start_, stop_));
    return milliseconds;
  }

 private:
  cudaEvent_t start_ = nullptr;
  cudaEvent_t stop_ = nullptr;
};

}  // namespace loom::cuda
