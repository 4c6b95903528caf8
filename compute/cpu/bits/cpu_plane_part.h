#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "compute/cpu/bits/cpu_plane_engine.h"
#include "compute/split/fractal_part.h"

namespace loom::cpu {

/// A part of life in bit planes, over this process' threads.
class CpuPlanePart final : public CpuPlaneEngine, public FractalPart {
 public:
  /// `config` as for CpuPlaneEngine, `parts` deal its groups. Throws std::bad_alloc.
  CpuPlanePart(const FractalConfig& config, const std::vector<PlaneRange>& parts, std::uint32_t number);

  FractalEngine& engine() override { return *this; }
  const FractalEngine& engine() const override { return *this; }
  std::uint32_t number() const override { return number_; }
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
  void begin_timing() override { timed_from_ = Clock::now(); }
  void end_timing() override { timed_to_ = Clock::now(); }
  double wait() override;
  std::uint64_t begin_recording() override;
  void note_begin(DeviceWork work) override;
  void note_end(DeviceWork work) override;
  std::vector<DevicePiece> recorded() const override { return recorded_; }
  std::string device_name() const override;
  std::string clock_name() const override { return "steady clock"; }
  void count_pixels(const Viewport& viewport, std::span<std::uint64_t> cells,
                    std::span<std::uint64_t> living) override;

 private:
  using Clock = std::chrono::steady_clock;
  CpuPlanePart(const FractalConfig& config, const std::vector<PlaneRange>& parts, std::uint32_t number,
               PartRim rim);
  /// Calls `use` with what words are: std::uint32_t{} or std::uint64_t{}.
  template <typename Use>
  void with_word(const Use& use) const;
  /// What was heard becomes the copies of a generation.
  void hear(std::uint8_t* cells);

  std::uint32_t number_;
  PartRim rim_;
  /// Rows of the next words of what the rim lists, which are vectors: of this generation and of the next.
  PageBuffer listed_now_;
  PageBuffer listed_next_;
  std::vector<std::uint16_t> listed_counts_;
  std::vector<std::uint64_t> told_;
  std::vector<std::uint64_t> heard_;
  Clock::time_point timed_from_;
  Clock::time_point timed_to_;
  std::vector<DevicePiece> recorded_;
};

}  // namespace loom::cpu
