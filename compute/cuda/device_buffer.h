#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <utility>
#include <vector>

#include "compute/cuda/check.h"

namespace loom::cuda {

/// `size` values of T in device memory, or in page-locked host memory for fast transfers. The content is
/// undefined. Throws CapacityError, DeviceFault.
template <typename T, bool kPinnedHost = false>
class Buffer {
 public:
  Buffer() = default;
  explicit Buffer(std::size_t size) : size_(size) {
    void* memory = nullptr;
    if constexpr (kPinnedHost) {
      LOOM_CUDA_ALLOCATES(size * sizeof(T), cudaMallocHost(&memory, size * sizeof(T)));
    } else {
      LOOM_CUDA_ALLOCATES(size * sizeof(T), cudaMalloc(&memory, size * sizeof(T)));
    }
    data_ = static_cast<T*>(memory);
  }
  ~Buffer() {
    if (!data_) return;
    if constexpr (kPinnedHost) {
      LOOM_CUDA_QUIETLY(cudaFreeHost(data_));
    } else {
      LOOM_CUDA_QUIETLY(cudaFree(data_));
    }
  }
  Buffer(Buffer&& other) noexcept { swap(other); }
  Buffer& operator=(Buffer&& other) noexcept {
    swap(other);
    return *this;
  }

  void swap(Buffer& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
  }
  /// Ensures a capacity of `size` values; growing discards the content.
  void reserve(std::size_t size) {
    if (size <= size_) return;
    *this = Buffer();
    *this = Buffer(size);
  }
  T* data() const { return data_; }
  std::size_t size() const { return size_; }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

template <typename T>
using DeviceBuffer = Buffer<T, false>;
template <typename T>
using PinnedBuffer = Buffer<T, true>;

/// Uploads values to memory of the current device; an empty range allocates nothing.
template <typename T>
DeviceBuffer<T> on_device(const std::vector<T>& values) {
  if (values.empty()) return {};
  DeviceBuffer<T> buffer(values.size());
  LOOM_CUDA(cudaMemcpy(buffer.data(), values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
  return buffer;
}

}  // namespace loom::cuda
