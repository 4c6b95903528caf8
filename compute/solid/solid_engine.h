#pragma once

#include <cstdint>
#include <type_traits>

#include "compute/core/coord.h"
#include "compute/core/host_device.h"
#include "compute/engine/fractal_engine.h"
#include "compute/engine/work_costs.h"
#include "compute/solid/solid_config.h"
#include "compute/solid/solid_view.h"
#include "compute/workload/workload.h"

namespace loom {

/// The value that single write gives a cell in a generation: layers eight cells wide along the diagonal that
/// move by one cell per generation.
LOOM_HOST_DEVICE std::uint8_t single_write_value(Coord3 cell, std::uint32_t generation) {
  return static_cast<std::uint8_t>((cell.x + cell.y + cell.z + generation) >> 3 & 1u);
}

/// The contribution of a cell to the reduction: 0 if it is dead, otherwise a weight from 1 to 8 that depends
/// on the coordinate.
LOOM_HOST_DEVICE std::uint32_t reduction_value(Coord3 cell, std::uint32_t alive) {
  return alive * (1u + ((cell.x ^ cell.y ^ cell.z) & 7u));
}

/// Life on one three-dimensional fractal.
class SolidEngine : public CellEngine<3> {
 public:
  /// Traces the rays of a view into an image that the engine owns, in host memory unless `space` is that of
  /// the engine's device. Allocates memory only when the image grows. Throws InputError for an empty picture,
  /// for a range of visible cells that is empty or outside, and above kMaxSolidViewLevel; OperationCancelled.
  virtual StepReport trace(const SolidView& view, MemorySpace space, SolidImage& image) = 0;
  /// What the ray of a pixel of the view meets. Throws as trace().
  virtual SolidHit pick(const SolidView& view, int column, int row) = 0;

 protected:
  using CellEngine::CellEngine;
  /// The report for repeating a workload, except for the values that only a run gives.
  StepReport report_of(Workload workload, std::uint32_t times) const {
    StepReport report = work_costs(cell_count(), workload, times);
    report.allocated_bytes = allocated_bytes();
    return report;
  }
};

/// The engine of life in two or three dimensions.
template <int kDimensions>
using EngineOf = std::conditional_t<kDimensions == 2, FractalEngine, SolidEngine>;

}  // namespace loom
