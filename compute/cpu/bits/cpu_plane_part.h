#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "compute/cpu/bits/cpu_plane_engine.h"
#include "compute/cpu/cpu_part.h"

namespace loom::cpu {

/// A partition of life in bit planes, on this process's threads.
class CpuPlanePart final : public CpuPlaneEngine, public CpuPart {
 public:
  /// `config` as for CpuPlaneEngine; `parts` are the partitions of its groups. Throws std::bad_alloc.
  CpuPlanePart(const FractalConfig& config, const std::vector<PlaneRange>& parts, std::uint32_t number);

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

 private:
  CpuPlanePart(const FractalConfig& config, const std::vector<PlaneRange>& parts, std::uint32_t number,
               PartRim rim);
  /// Calls `use` with a value of the word type: std::uint32_t{} or std::uint64_t{}.
  template <typename Use>
  void with_word(const Use& use) const;
  /// Unpacks the receive buffer into the halo of a generation.
  void hear(std::uint8_t* cells);

  PartRim rim_;
  /// Rows of the words of the boundary list, as vectors: of this generation and of the next one.
  PageBuffer listed_now_;
  PageBuffer listed_next_;
  std::vector<std::uint16_t> listed_counts_;
  std::vector<std::uint64_t> told_;
  std::vector<std::uint64_t> heard_;
};

}  // namespace loom::cpu
