#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "compute/cuda/distributed/cuda_partition.h"
#include "compute/cuda/life/byte_boundary.h"
#include "compute/cuda/life/cuda_byte_engine.h"
#include "compute/geometry/partition.h"

namespace loom::cuda {

/// A partition of life in bytes on the compact map on one CUDA device. Its tile rows are stepped by the
/// regular kernel with all other cells dead; the few boundary cells are then computed from a list, on a
/// stream of their own.
class CudaBytePartition final : public CudaByteEngine, public CudaPartition {
 public:
  /// `config` as for CudaByteEngine, on the compact map; `parts` are the partitions of its tile rows;
  /// `device` must be current. Throws CapacityError, DeviceFault.
  CudaBytePartition(const FractalConfig& config, const std::vector<TileRows>& parts, std::uint32_t number,
                    int device);

  FractalEngine& engine() override { return *this; }
  const FractalEngine& engine() const override { return *this; }
  std::span<const HaloSegment> received_from() const override { return boundary_.received_from; }
  std::span<const HaloSegment> sent_to() const override { return boundary_.sent_to; }
  HaloBuffers messages() override;
  void pack_boundary() override;
  void unpack_halo() override;
  std::uint32_t max_generations_per_exchange() const override { return 1; }
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
  CudaBytePartition(const FractalConfig& config, TileRows rows, std::uint32_t number, int device,
                    ByteBoundary boundary);
  /// Unpacks the receive buffer into the halo of a generation.
  void hear(std::uint8_t* cells);
  BoundaryCells boundary_cells() const {
    return {boundary_places_.data(), neighbours_.data(), boundary_.boundary.size()};
  }

  ByteBoundary boundary_;  ///< its position lists are on the device only
  std::uint64_t copies_;
  DeviceBuffer<std::uint64_t> boundary_places_;
  DeviceBuffer<std::uint64_t> neighbours_;
  DeviceBuffer<std::uint64_t> sent_places_;   ///< positions in a generation
  DeviceBuffer<std::uint64_t> sent_numbers_;  ///< indices in the boundary
  DeviceBuffer<std::uint8_t> boundary_next_;
  DeviceBuffer<std::uint8_t> sent_;
  DeviceBuffer<std::uint8_t> received_;
  DeviceBuffer<unsigned long long> pixel_cells_;
  DeviceBuffer<unsigned long long> pixel_living_;
  PinnedBuffer<unsigned long long> counts_on_host_;
};

}  // namespace loom::cuda
