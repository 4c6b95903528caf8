#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "compute/cpu/cpu_partition.h"
#include "compute/cpu/life/cpu_byte_engine.h"
#include "compute/geometry/partition.h"

namespace loom::cpu {

/// A partition of life in bytes on the compact map, on this process's threads. Its tile rows are stepped with
/// all other cells dead; the few boundary cells are then computed from a list.
class CpuBytePartition final : public CpuByteEngine, public CpuPartition {
 public:
  /// `config` as for CpuByteEngine, on the compact map; `parts` are the partitions of its tile rows. Throws
  /// std::bad_alloc.
  CpuBytePartition(const FractalConfig& config, const std::vector<TileRows>& parts, std::uint32_t number);

  FractalEngine& engine() override { return *this; }
  const FractalEngine& engine() const override { return *this; }
  std::span<const HaloSegment> received_from() const override { return boundary_.received_from; }
  std::span<const HaloSegment> sent_to() const override { return boundary_.sent_to; }
  HaloBuffers messages() override;
  void pack_boundary() override;
  void unpack_halo() override { hear(now_.data()); }
  std::uint32_t max_generations_per_exchange() const override { return 1; }
  void begin_generations(LifeRule rule, std::uint32_t times) override;
  void step_interior(LifeRule rule, std::uint32_t times, bool last) override;
  void end_generations(std::uint32_t times) override;
  void roll_back_generation() override;
  void roll_back_reset(std::uint64_t generation) override;
  void count_pixels(const Viewport& viewport, std::span<std::uint64_t> cells,
                    std::span<std::uint64_t> living) override;

 private:
  CpuBytePartition(const FractalConfig& config, TileRows rows, std::uint32_t number, ByteBoundary boundary);
  void hear(std::uint8_t* cells) const;

  ByteBoundary boundary_;
  std::uint64_t copies_;                     ///< offset of the halo in a generation
  std::vector<std::uint8_t> boundary_next_;  ///< the boundary's states after the generation in progress
  std::vector<std::uint8_t> sent_;
  std::vector<std::uint8_t> received_;
};

}  // namespace loom::cpu
