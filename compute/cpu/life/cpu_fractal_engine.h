#pragma once

#include <cstdint>
#include <vector>

#include "compute/cpu/cpu_cell_engine.h"
#include "compute/engine/fractal_engine.h"
#include "compute/geometry/tiled_fractal.h"

namespace loom::cpu {

/// The game of life on the CPU in two dimensions: the part that does not depend on the storage of cells.
class CpuFractalEngine : public CpuCellEngine<2> {
 public:
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

  void fill_random(std::uint8_t* cells, std::uint64_t seed, std::uint64_t threshold,
                   const ProgressScope& call) override;
  std::uint64_t held_cells() const final;
  /// Renders the visible part into `pixels`, see FractalEngine::resolve(). Throws OperationCancelled.
  virtual void paint(const Viewport& viewport, std::uint16_t* pixels) = 0;

  FrameReport pending_frame_;  ///< the frame between begin_frame() and end_frame()
  TiledFractal fractal_;
  StorageFormat stored_;

 private:
  std::vector<std::uint16_t> pixels_;
};

}  // namespace loom::cpu
