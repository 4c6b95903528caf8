#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "compute/cpu/bits/cpu_plane_engine.h"
#include "compute/cpu/cpu_partition.h"

namespace loom::cpu {

/// A partition of life in bit planes, on this process's threads.
class CpuPlanePartition final : public CpuPlaneEngine, public CpuPartition {
 public:
  /// `config` as for CpuPlaneEngine; `parts` are the partitions of its groups. Throws std::bad_alloc.
  CpuPlanePartition(const FractalConfig& config, const std::vector<GroupRange>& parts, std::uint32_t number);

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

 private:
  CpuPlanePartition(const FractalConfig& config, const std::vector<GroupRange>& parts, std::uint32_t number,
                    PlaneBoundary boundary);
  /// Calls `use` with a value of the word type: std::uint32_t{} or std::uint64_t{}.
  template <typename Use>
  void with_word(const Use& use) const;
  /// Unpacks the receive buffer into the halo of a generation.
  void hear(std::uint8_t* cells);

  PlaneBoundary boundary_;
  /// Rows of the words of the boundary list, as vectors: of this generation and of the next one.
  PageBuffer listed_now_;
  PageBuffer listed_next_;
  std::vector<std::uint16_t> listed_counts_;
  std::vector<std::uint64_t> sent_;
  std::vector<std::uint64_t> received_;
};

}  // namespace loom::cpu
