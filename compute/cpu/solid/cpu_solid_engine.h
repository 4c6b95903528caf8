#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compute/cpu/page_buffer.h"
#include "compute/solid/solid_engine.h"
#include "compute/solid/solid_rays.h"

namespace loom::cpu {

/// Life on a three-dimensional fractal on OpenMP threads, which run the tiles of the map one by one and
/// within each the threads that a GPU would launch.
class CpuSolidEngine : public SolidEngine {
 public:
  /// `config` must be valid. Throws std::bad_alloc.
  explicit CpuSolidEngine(const SolidConfig& config);

  const SolidConfig& config() const override { return config_; }
  std::string backend_name() const override;
  std::uint64_t cell_count() const override { return map_.tiled.cells; }
  std::uint64_t allocated_bytes() const override { return 2 * map_.bytes(); }
  std::uint64_t generation() const override { return generation_; }
  StepReport reset(const RandomStart& start) override;
  StepReport clear() override;
  StepReport run(std::uint32_t times, const SolidWork& work) override;
  std::optional<std::uint8_t> cell(Coord3 expanded) const override;
  std::uint64_t edit(std::span<const Edit> edits) override;
  StepReport trace(const SolidView& view, MemorySpace space, SolidImage& image) override;
  SolidHit pick(const SolidView& view, int column, int row) override;
  Census census() const override;
  ThreadCount count_threads() const override;
  void read_cells(std::uint64_t first, std::span<std::uint8_t> cells) const override;
  void write_cells(std::uint64_t first, std::span<const std::uint8_t> cells) override;
  void set_generation(std::uint64_t generation) override { generation_ = generation; }

 private:
  SolidScene scene();
  template <typename Rule>
  void step_life(const Rule& rule);
  void drop_states(std::uint32_t states) override;
  void single_write();
  std::uint64_t reduce() const;

  SolidConfig config_;
  SolidTables tables_;
  SolidMap map_;
  SolidOrder order_;
  PageBuffer now_;
  PageBuffer next_;
  std::uint64_t generation_ = 0;
  std::optional<SolidDigits> digits_;  ///< of the first picture
  std::vector<std::uint32_t> pixels_;
};

}  // namespace loom::cpu
