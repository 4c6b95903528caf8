#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "compute/cuda/bits/cuda_plane_engine.h"
#include "compute/cuda/bits/plane_boundary.h"
#include "compute/cuda/distributed/cuda_partition.h"

namespace loom::cuda {

/// A partition of life in bit planes on one CUDA device: the boundary and the exchange use a stream of their
/// own, the interior uses the engine's stream.
class CudaPlanePartition final : public CudaPlaneEngine, public CudaPartition {
 public:
  /// `config` as for CudaPlaneEngine; `parts` are the partitions of its groups; `device` must be current.
  /// Throws CapacityError, DeviceFault.
  CudaPlanePartition(const FractalConfig& config, const std::vector<GroupRange>& parts, std::uint32_t number,
                     int device);

  FractalEngine& engine() override { return *this; }
  const FractalEngine& engine() const override { return *this; }
  std::span<const HaloSegment> received_from() const override { return boundary_.received_from; }
  std::span<const HaloSegment> sent_to() const override { return boundary_.sent_to; }
  HaloBuffers messages() override;
  void pack_boundary() override;
  void unpack_halo() override;
  std::uint32_t max_generations_per_exchange() const override;
  void begin_generations(LifeRule rule, std::uint32_t times) override;
  void step_interior(LifeRule rule, std::uint32_t times, bool last) override;
  void end_generations(std::uint32_t times) override;
  void roll_back_generation() override;
  void roll_back_reset(std::uint64_t generation) override;
  void count_pixels(const Viewport& viewport, std::span<std::uint64_t> cells,
                    std::span<std::uint64_t> living) override;
  CUstream_st* sums_stream() override { return stream_.get(); }
  void reserve_sums(const Viewport& viewport) override;
  DevicePixelSums enqueue_sums(const Viewport& viewport) override;

 private:
  CudaPlanePartition(const FractalConfig& config, const std::vector<GroupRange>& parts, std::uint32_t number,
                     int device, PlaneBoundary boundary);
  std::size_t bytes_of_thread() const { return std::size_t{planes_.planes} * (planes_.wide() ? 8 : 4); }
  ThreadList copies() const;

  PlaneBoundary boundary_;
  bool boundary_is_patch_ =
      false;             ///< one thread block computes several generations of the boundary per launch
  bool counts_ = false;  ///< the generation in progress counts the living cells of its groups
  DeviceBuffer<std::uint32_t> listed_;  ///< the boundary and the threads that it depends on
  DeviceBuffer<std::uint32_t> neighbours_;
  DeviceBuffer<std::uint16_t> neighbours_in_patch_;
  DeviceBuffer<std::uint32_t> sent_threads_;  ///< threads of the partition that are sent
  DeviceBuffer<std::uint32_t> sent_places_;   ///< their indices in the boundary
  DeviceBuffer<std::uint8_t> boundary_next_;  ///< rows of the boundary's next words
  DeviceBuffer<std::uint8_t> sent_;
  DeviceBuffer<std::uint8_t> received_;
  PinnedBuffer<unsigned long long> sums_on_host_;
};

}  // namespace loom::cuda
