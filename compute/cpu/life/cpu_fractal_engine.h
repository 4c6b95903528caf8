#pragma once

#include <cstdint>
#include <vector>

#include "compute/cpu/page_buffer.h"
#include "compute/engine/fractal_engine.h"
#include "compute/geometry/blocked_fractal.h"
#include "compute/map/map_tables.h"

namespace loom::cpu {

/// The game of life on the CPU, over OpenMP threads. Building one takes no time: the system backs and zeroes
/// pages when a call first writes to them, which is watched.
class CpuFractalEngine final : public FractalEngine {
 public:
  /// `config` is valid. Throws std::bad_alloc.
  explicit CpuFractalEngine(const FractalConfig& config);

  const FractalConfig& config() const override { return config_; }
  std::string backend_name() const override;
  std::uint64_t cell_count() const override { return fractal_.cells; }
  std::uint64_t bytes_held() const override { return 2 * bytes_; }
  std::uint64_t generation() const override { return generation_; }
  StepReport reset(const RandomStart& start) override;
  StepReport clear() override;
  StepReport run(std::uint32_t times, const Work& work) override;
  StepReport resolve(const Viewport& viewport, MemorySpace space, ImageView& image) override;
  std::optional<bool> cell(Coord64 expanded) const override;
  std::uint64_t edit(std::span<const CellEdit> edits) override;
  void begin_frame(const FrameWish& wish) override { begun_ = whole_frame(wish); }
  FrameReport end_frame() override { return begun_; }
  Census census() const override;
  ThreadCount count_threads() const override;
  Timeline record_timeline(const TimelineWish& wish) override;
  void read_cells(std::uint64_t first, std::span<std::uint8_t> cells) const override;
  void write_cells(std::uint64_t first, std::span<const std::uint8_t> cells) override;
  void set_generation(std::uint64_t generation) override { generation_ = generation; }

 private:
  StepReport report() const;
  FrameReport whole_frame(const FrameWish& wish);
  /// Calls `use` with a generation's cells.
  template <typename Use>
  decltype(auto) with(const PageBuffer& generation, const Use& use) const;
  /// Does the work once; false, with the cells and `sum` as they were, where it was cancelled.
  bool run_once(const Work& work, const WatchedCall& call, std::uint64_t& sum);

  FrameReport begun_;  ///< the frame between its beginning and its end
  FractalConfig config_;
  BlockedFractal fractal_;
  StorageLayout layout_;
  std::uint64_t bytes_ = 0;  ///< of one generation
  HostMapTables tables_;
  PageBuffer now_;
  PageBuffer next_;
  std::uint64_t generation_ = 0;
  std::vector<std::uint16_t> pixels_;
  std::vector<std::uint64_t> pixel_counts_;
};

}  // namespace loom::cpu
