#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compute/cpu/page_buffer.h"
#include "compute/engine/fractal_engine.h"
#include "compute/engine/whole_frame.h"
#include "compute/geometry/blocked_fractal.h"

namespace loom::cpu {

/// The game of life on the CPU, over OpenMP threads: what does not depend on how cells are stored. Building
/// one takes no time: the system backs and zeroes pages when a call first writes to them, which is watched.
class CpuFractalEngine : public FractalEngine {
 public:
  const FractalConfig& config() const final { return config_; }
  std::string backend_name() const final;
  std::uint64_t cell_count() const final { return fractal_.cells; }
  std::uint64_t bytes_held() const final { return 2 * bytes_; }
  std::uint64_t generation() const final { return generation_; }
  StepReport reset(const RandomStart& start) final;
  StepReport clear() final;
  StepReport run(std::uint32_t times, const Work& work) final;
  StepReport resolve(const Viewport& viewport, MemorySpace space, ImageView& image) final;
  void begin_frame(const FrameWish& wish) final { begun_ = whole_frame(*this, wish, watch_); }
  FrameReport end_frame() final { return begun_; }
  std::optional<bool> cell(Coord64 expanded) const final;
  std::uint64_t edit(std::span<const CellEdit> edits) final;
  Census census() const override;
  void read_cells(std::uint64_t first, std::span<std::uint8_t> cells) const final;
  void write_cells(std::uint64_t first, std::span<const std::uint8_t> cells) final;
  void set_generation(std::uint64_t generation) final { generation_ = generation; }

 protected:
  /// `config` is valid, `bytes` those of a generation. Throws std::bad_alloc.
  CpuFractalEngine(const FractalConfig& config, std::uint64_t bytes);

  /// Sets every cell of a generation to the random start's; a cell is a unit of `call`. Throws Cancelled.
  virtual void fill_random(std::uint8_t* cells, std::uint64_t seed, std::uint64_t threshold,
                           const WatchedCall& call);
  /// Makes what work needs beside cells, where it is not there yet: not a part of what is timed. Throws
  /// Cancelled.
  virtual void prepare() {}
  /// Does the work up to `times` times, each `units_of(work)` units of `call`, and adds how often to `done`;
  /// where it is cancelled the cells and `sum` are those of the last whole time.
  virtual void run_times(std::uint32_t times, const Work& work, const WatchedCall& call, std::uint32_t& done,
                         std::uint64_t& sum) = 0;
  virtual std::uint64_t units_of_work() const = 0;
  /// Writes the visible part into `pixels`, see FractalEngine::resolve(). Throws Cancelled.
  virtual void paint(const Viewport& viewport, std::uint16_t* pixels) = 0;
  /// Cells were changed by something else than run_times().
  virtual void cells_changed() {}

  FrameReport begun_;  ///< the frame between its beginning and its end
  FractalConfig config_;
  BlockedFractal fractal_;
  StoredAs stored_;
  std::uint64_t bytes_ = 0;  ///< of one generation
  PageBuffer now_;
  PageBuffer next_;
  std::uint64_t generation_ = 0;

 private:
  std::vector<std::uint16_t> pixels_;
};

}  // namespace loom::cpu
