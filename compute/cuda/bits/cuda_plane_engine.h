#pragma once

#include <cstdint>
#include <string>

#include "compute/cuda/bits/device_sums.h"
#include "compute/cuda/bits/plane_resolve.h"
#include "compute/cuda/bits/plane_step.h"
#include "compute/cuda/life/cuda_fractal_engine.h"
#include "compute/engine/plane_tree.h"
#include "compute/geometry/bit_planes.h"

namespace loom::cuda {

/// Life in bit planes (geometry/bit_planes.h) on CUDA. Tile size and map arithmetic have no effect.
class CudaPlaneEngine : public CudaFractalEngine {
 public:
  /// `config` must be valid, with the compact map and bit-packed storage; `device` must be current. Throws
  /// CapacityError, DeviceFault.
  CudaPlaneEngine(const FractalConfig& config, int device, const LaunchSlices& slices);

  std::string backend_name() const override;
  void wait_for_compilation() const override { step_.wait_for_kernel(); }
  bool is_compilation_done() const override { return step_.kernel_is_final(); }
  ThreadCount count_threads() const override;

 protected:
  /// For one partition of the planes, with `bytes` per generation.
  CudaPlaneEngine(const FractalConfig& config, GroupRange part, std::uint64_t bytes, int device,
                  const LaunchSlices& slices);

 private:
  void enqueue_random(std::uint64_t seed, std::uint64_t threshold, const ProgressScope& call) override;
  void enqueue_work(std::uint32_t times, const Work& work) override;
  void enqueue_sum_copy(unsigned long long* to) override { sums_.copy_sum(to, stream_); }
  void enqueue_census(unsigned long long* totals, const ProgressScope& call) const override;
  void reserve_resolve(const Viewport& viewport) override { resolver_.reserve(viewport); }
  void enqueue_resolve(const Viewport& viewport) override;
  const std::uint16_t* pixels() const override { return resolver_.pixels(); }
  void cells_changed() override { resolver_.set_count_state(CountState::kNothing); }

 protected:
  BitPlanes planes_;
  PlaneTree tiles_;
  PlaneStep step_;
  PlaneResolver resolver_;
  DeviceSums sums_;
};

}  // namespace loom::cuda
