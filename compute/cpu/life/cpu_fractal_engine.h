#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compute/cpu/page_buffer.h"
#include "compute/engine/fractal_engine.h"
#include "compute/engine/whole_frame.h"
#include "compute/geometry/blocked_fractal.h"

namespace loom::cpu {

/// The game of life on the CPU, on OpenMP threads: the part that does not depend on the storage of cells.
/// Construction takes no time: the operating system maps and zeroes pages when a call first writes to them,
/// and that call is monitored.
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
  /// `config` must be valid; `bytes` is the size of a generation. Throws std::bad_alloc.
  CpuFractalEngine(const FractalConfig& config, std::uint64_t bytes);

  /// Fills a generation with the random start; a cell is a unit of `call`. Throws Cancelled.
  virtual void fill_random(std::uint8_t* cells, std::uint64_t seed, std::uint64_t threshold,
                           const WatchedCall& call);
  /// Computes additional data that the work needs, if it does not exist yet. Not included in the measured
  /// time. Throws Cancelled.
  virtual void prepare() {}
  /// Repeats the work up to `times` times, each with `units_of(work)` units of `call`, and adds the number of
  /// repetitions to `done`. If cancelled, the cells and `sum` are those of the last complete repetition.
  virtual void run_times(std::uint32_t times, const Work& work, const WatchedCall& call, std::uint32_t& done,
                         std::uint64_t& sum) = 0;
  virtual std::uint64_t units_of_work() const = 0;
  /// Renders the visible part into `pixels`, see FractalEngine::resolve(). Throws Cancelled.
  virtual void paint(const Viewport& viewport, std::uint16_t* pixels) = 0;
  /// Called after cells were changed by anything other than run_times().
  virtual void cells_changed() {}

  FrameReport begun_;  ///< the frame between begin_frame() and end_frame()
  FractalConfig config_;
  BlockedFractal fractal_;
  StoredAs stored_;
  std::uint64_t bytes_ = 0;  ///< bytes per generation
  PageBuffer now_;
  PageBuffer next_;
  std::uint64_t generation_ = 0;

 private:
  std::vector<std::uint16_t> pixels_;
};

}  // namespace loom::cpu
