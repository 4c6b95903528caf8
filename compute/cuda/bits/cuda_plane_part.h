#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "compute/cuda/bits/cuda_plane_engine.h"
#include "compute/cuda/bits/plane_rim.h"
#include "compute/cuda/split/cuda_part.h"

namespace loom::cuda {

/// A partition of life in bit planes on one CUDA device: the boundary and the exchange use a stream of their
/// own, the interior uses the engine's stream.
class CudaPlanePart final : public CudaPlaneEngine, public CudaPart {
 public:
  /// `config` as for CudaPlaneEngine; `parts` are the partitions of its groups; `device` must be current.
  /// Throws CapacityError, DeviceFault.
  CudaPlanePart(const FractalConfig& config, const std::vector<PlaneRange>& parts, std::uint32_t number,
                int device);

  FractalEngine& engine() override { return *this; }
  const FractalEngine& engine() const override { return *this; }
  std::span<const PartStretch> told_by() const override { return rim_.told_by; }
  std::span<const PartStretch> told_to() const override { return rim_.told_to; }
  PartMessages messages() override;
  void tell_cells() override;
  void hear_cells() override;
  std::uint32_t most_at_once() const override;
  void begin_generations(LifeRule rule, std::uint32_t times) override;
  void step_inside(LifeRule rule, std::uint32_t times, bool last) override;
  void end_generations(std::uint32_t times) override;
  void take_back_generation() override;
  void take_back_reset(std::uint64_t generation) override;
  void count_pixels(const Viewport& viewport, std::span<std::uint64_t> cells,
                    std::span<std::uint64_t> living) override;
  void* sums_stream() override { return stream_.get(); }
  void reserve_sums(const Viewport& viewport) override;
  DevicePixelSums enqueue_sums(const Viewport& viewport) override;

 private:
  CudaPlanePart(const FractalConfig& config, const std::vector<PlaneRange>& parts, std::uint32_t number,
                int device, PartRim rim);
  std::size_t bytes_of_thread() const { return std::size_t{planes_.planes} * (planes_.wide() ? 8 : 4); }
  ThreadList copies() const;

  PartRim rim_;
  bool rim_is_patch_ = false;  ///< one thread block computes several generations of the boundary per launch
  bool counts_ = false;        ///< the generation in progress counts the living cells of its groups
  DeviceBuffer<std::uint32_t> listed_;  ///< the boundary and the threads that it depends on
  DeviceBuffer<std::uint32_t> beside_;
  DeviceBuffer<std::uint16_t> beside_in_patch_;
  DeviceBuffer<std::uint32_t> told_threads_;  ///< threads of the partition that are sent
  DeviceBuffer<std::uint32_t> told_places_;   ///< their indices in the boundary
  DeviceBuffer<std::uint8_t> rim_next_;       ///< rows of the boundary's next words
  DeviceBuffer<std::uint8_t> told_;
  DeviceBuffer<std::uint8_t> heard_;
  PinnedBuffer<unsigned long long> sums_on_host_;
};

}  // namespace loom::cuda
