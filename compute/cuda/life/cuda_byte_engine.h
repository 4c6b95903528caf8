#pragma once

#include <cstdint>

#include "compute/cuda/life/byte_kernels.h"
#include "compute/cuda/life/cuda_fractal_engine.h"
#include "compute/cuda/life/device_map_tables.h"
#include "compute/cuda/life/resolve.h"

namespace loom::cuda {

/// Life with one byte per cell, for every map and arithmetic.
class CudaByteEngine : public CudaFractalEngine {
 public:
  /// `config` must be valid, with byte storage; `device` must be current. Throws CapacityError, DeviceFault.
  CudaByteEngine(const FractalConfig& config, int device, const LaunchSlices& slices);

  ThreadCount count_threads() const override;
  Timeline record_timeline(const TimelineOptions& options) override;

 protected:
  /// For a partition's tile rows, with `bytes` per generation (geometry/byte_parts.h).
  CudaByteEngine(const FractalConfig& config, TileRows rows, std::uint64_t bytes, int device,
                 const LaunchSlices& slices);
  /// Enqueues the next generation of life without the halo of other partitions.
  void enqueue_step(LifeRule rule);

 private:
  void enqueue_work(std::uint32_t times, const Work& work) override;
  void enqueue_sum_copy(unsigned long long* to) override { reducer_.copy_sum(to, stream_); }
  void reserve_resolve(const Viewport& viewport) override { resolver_.reserve(viewport); }
  void enqueue_resolve(const Viewport& viewport) override;
  const std::uint16_t* pixels() const override { return resolver_.pixels(); }

  void enqueue_once(const Work& work);

  DeviceMapTables tables_;
  Reducer reducer_;

 protected:
  Resolver resolver_;
};

}  // namespace loom::cuda
