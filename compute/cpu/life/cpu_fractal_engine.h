#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compute/cpu/page_buffer.h"
#include "compute/engine/fractal_engine.h"
#include "compute/geometry/tiled_fractal.h"

namespace loom::cpu {

/// The game of life on the CPU, on OpenMP threads: the part that does not depend on the storage of cells.
/// Construction takes no time: the operating system maps and zeroes pages when a call first writes to them,
/// and that call is monitored.
class CpuFractalEngine : public FractalEngine {
 public:
  std::string backend_name() const final;
  std::uint64_t cell_count() const final { return fractal_.cells; }
  std::uint64_t allocated_bytes() const final { return 2 * bytes_; }
  StepReport reset(const RandomStart& start) final;
  StepReport clear() final;
  StepReport run(std::uint32_t times, const Work& work) final;
  StepReport resolve(const Viewport& viewport, MemorySpace space, ImageView& image) final;
  void begin_frame(const FrameRequest& request) final {
    pending_frame_ = run_synchronous_frame(*this, request, monitor_);
  }
  FrameReport end_frame() final { return pending_frame_; }
  std::optional<std::uint8_t> cell(Coord64 expanded) const final;
  std::uint64_t edit(std::span<const CellEdit> edits) final;
  Census census() const override;
  void read_cells(std::uint64_t first, std::span<std::uint8_t> cells) const final;
  void write_cells(std::uint64_t first, std::span<const std::uint8_t> cells) final;

 protected:
  /// `config` must be valid; `bytes` is the size of a generation. Throws std::bad_alloc.
  CpuFractalEngine(const FractalConfig& config, std::uint64_t bytes);

  /// Fills a generation with the random start; a cell is a unit of `call`. Throws OperationCancelled.
  virtual void fill_random(std::uint8_t* cells, std::uint64_t seed, std::uint64_t threshold,
                           const ProgressScope& call);
  /// Computes additional data that the work needs, if it does not exist yet. Not included in the measured
  /// time. Throws OperationCancelled.
  virtual void prepare() {}
  /// Computes the next generation into next_, or returns the sum of a reduction, with units_of_work() units
  /// of `call`; if it is cancelled, the result is not used. `last`: of the repetitions of a call.
  virtual std::uint64_t run_once(const Work& work, bool last, const ProgressScope& call) = 0;
  virtual std::uint64_t units_of_work() const = 0;
  /// Renders the visible part into `pixels`, see FractalEngine::resolve(). Throws OperationCancelled.
  virtual void paint(const Viewport& viewport, std::uint16_t* pixels) = 0;
  /// Called after cells were changed by anything other than run_once().
  virtual void cells_changed() {}

  FrameReport pending_frame_;  ///< the frame between begin_frame() and end_frame()
  TiledFractal fractal_;
  StorageFormat stored_;
  std::uint64_t bytes_ = 0;  ///< bytes per generation
  PageBuffer now_;
  PageBuffer next_;

 private:
  void drop_states(std::uint32_t states) final;

  std::vector<std::uint16_t> pixels_;
};

}  // namespace loom::cpu
