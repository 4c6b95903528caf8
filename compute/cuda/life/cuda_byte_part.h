#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "compute/cuda/life/byte_rim.h"
#include "compute/cuda/life/cuda_byte_engine.h"
#include "compute/cuda/split/cuda_part.h"
#include "compute/geometry/byte_parts.h"

namespace loom::cuda {

/// A partition of life in bytes on the compact map on one CUDA device. Its tile rows are stepped by the
/// regular kernel with all other cells dead; the few boundary cells are then computed from a list, on a
/// stream of their own.
class CudaBytePart final : public CudaByteEngine, public CudaPart {
 public:
  /// `config` as for CudaByteEngine, on the compact map; `parts` are the partitions of its tile rows;
  /// `device` must be current. Throws CapacityError, DeviceFault.
  CudaBytePart(const FractalConfig& config, const std::vector<BlockRows>& parts, std::uint32_t number,
               int device);

  FractalEngine& engine() override { return *this; }
  const FractalEngine& engine() const override { return *this; }
  std::span<const PartStretch> told_by() const override { return rim_.told_by; }
  std::span<const PartStretch> told_to() const override { return rim_.told_to; }
  PartMessages messages() override;
  void tell_cells() override;
  void hear_cells() override;
  std::uint32_t most_at_once() const override { return 1; }
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
  CudaBytePart(const FractalConfig& config, BlockRows rows, std::uint32_t number, int device, ByteRim rim);
  /// Unpacks the receive buffer into the halo of a generation.
  void hear(std::uint8_t* cells);
  RimCells rim_cells() const { return {rim_places_.data(), beside_.data(), rim_.rim.size()}; }

  ByteRim rim_;  ///< its position lists are on the device only
  std::uint64_t copies_;
  DeviceBuffer<std::uint64_t> rim_places_;
  DeviceBuffer<std::uint64_t> beside_;
  DeviceBuffer<std::uint64_t> told_places_;   ///< positions in a generation
  DeviceBuffer<std::uint64_t> told_numbers_;  ///< indices in the boundary
  DeviceBuffer<std::uint8_t> rim_next_;
  DeviceBuffer<std::uint8_t> told_;
  DeviceBuffer<std::uint8_t> heard_;
  DeviceBuffer<unsigned long long> pixel_cells_;
  DeviceBuffer<unsigned long long> pixel_living_;
  PinnedBuffer<unsigned long long> counts_on_host_;
};

}  // namespace loom::cuda
