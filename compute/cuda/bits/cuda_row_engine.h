#pragma once

#include <cstdint>

#include "compute/cuda/bits/device_sums.h"
#include "compute/cuda/life/cuda_fractal_engine.h"
#include "compute/cuda/life/image_buffer.h"
#include "compute/geometry/stored_cells.h"

namespace loom::cuda {

/// Life on the whole square with one bit per point (geometry/bit_rows.h) on CUDA: one thread per word.
class CudaRowEngine final : public CudaFractalEngine {
 public:
  /// `config` must be valid, with the bounding box and bit-packed storage; `device` must be current. Throws
  /// CapacityError, DeviceFault.
  CudaRowEngine(const FractalConfig& config, int device, const LaunchSlices& slices);

  ThreadCount count_threads() const override;

 private:
  void enqueue_work(std::uint32_t times, const Work& work) override;
  void enqueue_sum_copy(unsigned long long* to) override { sums_.copy_sum(to, stream_); }
  void reserve_resolve(const Viewport& viewport) override;
  void enqueue_resolve(const Viewport& viewport) override;
  const std::uint16_t* pixels() const override { return memory_.pixels(); }

  static std::uint64_t* words(const DeviceBuffer<std::uint8_t>& bytes) {
    return reinterpret_cast<std::uint64_t*>(bytes.data());
  }

  BitRows rows_;
  DeviceBuffer<std::uint8_t> mask_;  ///< the points that are cells
  ImageBuffer memory_;
  DeviceBuffer<unsigned long long> counts_;
  DeviceSums sums_;
};

}  // namespace loom::cuda
