#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "compute/cpu/cpu_part.h"
#include "compute/cpu/life/cpu_byte_engine.h"
#include "compute/geometry/byte_parts.h"

namespace loom::cpu {

/// A partition of life in bytes on the compact map, on this process's threads. Its tile rows are stepped with
/// all other cells dead; the few boundary cells are then computed from a list.
class CpuBytePart final : public CpuByteEngine, public CpuPart {
 public:
  /// `config` as for CpuByteEngine, on the compact map; `parts` are the partitions of its tile rows. Throws
  /// std::bad_alloc.
  CpuBytePart(const FractalConfig& config, const std::vector<BlockRows>& parts, std::uint32_t number);

  FractalEngine& engine() override { return *this; }
  const FractalEngine& engine() const override { return *this; }
  std::span<const PartStretch> told_by() const override { return rim_.told_by; }
  std::span<const PartStretch> told_to() const override { return rim_.told_to; }
  PartMessages messages() override;
  void tell_cells() override;
  void hear_cells() override { hear(now_.data()); }
  std::uint32_t most_at_once() const override { return 1; }
  void begin_generations(LifeRule rule, std::uint32_t times) override;
  void step_inside(LifeRule rule, std::uint32_t times, bool last) override;
  void end_generations(std::uint32_t times) override;
  void take_back_generation() override;
  void take_back_reset(std::uint64_t generation) override;
  void count_pixels(const Viewport& viewport, std::span<std::uint64_t> cells,
                    std::span<std::uint64_t> living) override;

 private:
  CpuBytePart(const FractalConfig& config, BlockRows rows, std::uint32_t number, ByteRim rim);
  void hear(std::uint8_t* cells) const;

  ByteRim rim_;
  std::uint64_t copies_;                ///< offset of the halo in a generation
  std::vector<std::uint8_t> rim_next_;  ///< the boundary's states after the generation in progress
  std::vector<std::uint8_t> told_;
  std::vector<std::uint8_t> heard_;
};

}  // namespace loom::cpu
