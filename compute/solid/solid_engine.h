#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "compute/core/coord.h"
#include "compute/core/host_device.h"
#include "compute/engine/fractal_engine.h"
#include "compute/engine/progress_monitor.h"
#include "compute/engine/thread_count.h"
#include "compute/solid/solid_config.h"
#include "compute/solid/solid_rule.h"
#include "compute/solid/solid_view.h"
#include "compute/workload/workload.h"

namespace loom {

/// A workload on a three-dimensional fractal with its parameters.
struct SolidWork {
  Workload workload = Workload::kLife;
  SolidRule rule = {};  ///< for kLife
  friend constexpr bool operator==(const SolidWork&, const SolidWork&) = default;
};

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

/// A change of one cell by the user.
struct SolidEdit {
  Coord3 cell;  ///< expanded coordinate
  bool alive = false;
  friend constexpr bool operator==(const SolidEdit&, const SolidEdit&) = default;
};

/// Life on one three-dimensional fractal, on one backend. Cells start dead. Not thread-safe. Calls are
/// synchronous. Errors: InputError for arguments out of range; MachineError for a fatal device error, after
/// which the engine must be discarded.
class SolidEngine {
 public:
  virtual ~SolidEngine() = default;

  virtual const SolidConfig& config() const = 0;
  /// "cuda: NVIDIA H200", "cpu: 2 threads".
  virtual std::string backend_name() const = 0;
  virtual std::uint64_t cell_count() const = 0;
  /// Bytes allocated for cells, both generations.
  virtual std::uint64_t allocated_bytes() const = 0;
  /// Generations since the last reset or clear.
  virtual std::uint64_t generation() const = 0;

  /// Sets the monitor of run() and trace(); null: none. The monitor must outlive those calls.
  void set_monitor(ProgressMonitor* monitor) { monitor_ = monitor; }

  /// Each cell is alive iff random_cell() says so for its canonical index.
  virtual StepReport reset(const RandomStart& start) = 0;
  /// Sets all cells dead and the generation to 0.
  virtual StepReport clear() = 0;
  /// Repeats the work `times` >= 0 times. Life and single write make a new generation each time; a reduction
  /// leaves the cells unchanged and reports the sum. Does not allocate memory. If it is cancelled between two
  /// repetitions, the report has the number of repetitions.
  virtual StepReport run(std::uint32_t times, const SolidWork& work) = 0;

  /// The state of the cell at an expanded coordinate; nothing for a hole or a point outside.
  virtual std::optional<bool> cell(Coord3 expanded) const = 0;
  /// Sets cells, in order. Returns the number of edits that addressed a cell; others are ignored.
  virtual std::uint64_t edit(std::span<const SolidEdit> edits) = 0;
  /// Traces the rays of a view into an image that the engine owns, in host memory unless `space` is that of
  /// the engine's device. Allocates memory only when the image grows. Throws InputError for an empty picture,
  /// for a range of visible cells that is empty or outside, and above kMaxSolidViewLevel; OperationCancelled.
  virtual StepReport trace(const SolidView& view, MemorySpace space, SolidImage& image) = 0;
  /// What the ray of a pixel of the view meets. Throws as trace().
  virtual SolidHit pick(const SolidView& view, int column, int row) = 0;
  virtual Census census() const = 0;
  /// Runs the method once to count its threads. Cells are unchanged.
  virtual ThreadCount count_threads() const = 0;

  /// Copy cells out or in by canonical index, one byte per cell (0 or 1): [first, first + cells.size()).
  virtual void read_cells(std::uint64_t first, std::span<std::uint8_t> cells) const = 0;
  virtual void write_cells(std::uint64_t first, std::span<const std::uint8_t> cells) = 0;
  /// Sets the generation counter, after cells were transferred from another engine.
  virtual void set_generation(std::uint64_t generation) = 0;

 protected:
  /// The report for repeating a workload, except for the values that only a run gives.
  StepReport report_of(Workload workload, std::uint32_t times) const {
    StepReport report;
    report.generations = times;
    report.allocated_bytes = allocated_bytes();
    report.bytes_moved = (workload == Workload::kLife ? 2 : 1) * cell_count() * times;
    return report;
  }
  /// Throws InputError if [first, first + count) is not within the cells.
  void check_cell_range(std::uint64_t first, std::uint64_t count) const;
  /// Throws InputError for a view that trace() refuses.
  void check_view(const SolidView& view) const;

  ProgressMonitor* monitor_ = nullptr;
};

}  // namespace loom
