#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "compute/core/coord.h"
#include "compute/core/image_view.h"
#include "compute/engine/progress_monitor.h"
#include "compute/engine/timeline.h"
#include "compute/mandelbrot/dwell_distribution.h"
#include "compute/mandelbrot/mandelbrot_config.h"
#include "compute/mandelbrot/mandelbrot_report.h"
#include "compute/mandelbrot/row_partition.h"

namespace loom {

/// A pixel whose dwell differs from the exhaustive method's.
struct DwellDifference {
  Coord32 pixel;
  std::uint32_t dwell = 0;     ///< the engine's value
  std::uint32_t expected = 0;  ///< the value of the plain loop
};

/// If there are more differences, an arbitrary subset is listed.
inline constexpr std::uint64_t kMaxDifferencesInOrder = std::uint64_t{1} << 20;

struct DwellDifferences {
  std::uint64_t count = 0;
  /// At most the requested number, by row and column. They are the first ones if there are at most
  /// kMaxDifferencesInOrder.
  std::vector<DwellDifference> places;
};

/// Dwells of the Mandelbrot set, on one backend. The engine keeps its memory between calls; each call
/// specifies method and view. Not thread-safe; calls are synchronous. A call that throws may leave no image;
/// the engine stays usable, except after DeviceFault, when it must be discarded. A call that is cancelled
/// through the monitor throws OperationCancelled. An engine may compute and hold only a partition of the rows
/// of every image (compute/distributed combines several): its counts, comparisons and reports then cover its
/// own rows, and reads leave the values of other rows unchanged.
class MandelbrotEngine {
 public:
  virtual ~MandelbrotEngine() = default;

  /// One line for the status bar and JSON: "cuda: NVIDIA H200" or "cpu: 2 threads".
  virtual std::string backend_name() const = 0;
  /// Bytes allocated for dwells, OLTs and region lists.
  virtual std::uint64_t allocated_bytes() const = 0;
  /// Sets the monitor for progress and cancellation of all later calls; null: none. The monitor must outlive
  /// those calls.
  void set_monitor(ProgressMonitor* monitor) { monitor_ = monitor; }

  enum class Regions { kCount, kList };
  /// Computes every dwell of the view. With kList the regions are kept for regions(), which costs time and
  /// memory. Allocates memory only if the largest call so far needed less. Throws InputError (validate),
  /// CapacityError (needed and free bytes), MachineError (DP: a launch from the device failed).
  virtual MandelbrotReport compute(const MandelbrotConfig& config, const MandelbrotView& view,
                                   Regions regions = Regions::kCount) = 0;

  /// Computes the view like compute() and records when each thread block ran, and where. It runs the regular
  /// kernels several times and their instrumented copies twice, and records the last run, whose result is the
  /// image. Throws like compute(); also InputError (validate(); on CUDA for double precision, for which no
  /// instrumented copy is compiled) and MachineError if the device has no timer.
  virtual Timeline record_timeline(const MandelbrotConfig& config, const MandelbrotView& view,
                                   const TimelineOptions& options) = 0;

  /// The configuration of the last computation; a default one before the first computation.
  virtual const MandelbrotConfig& config() const = 0;
  virtual const MandelbrotView& view() const = 0;
  /// The rows of the view that the engine holds, in order: all of them unless it computes a partition; none
  /// before the first computation.
  virtual std::span<const RowRange> rows() const = 0;
  /// The time of each of several partitions in the last computation; empty for one partition.
  virtual std::span<const MandelbrotPartitionTime> partition_times() const { return {}; }
  /// The rows that one partition computed, in order.
  virtual std::span<const RowRange> rows_of_partition(std::size_t) const { return {}; }
  /// The regions of the last computation, by level, row and column; empty unless they were requested.
  virtual std::span<const MandelbrotRegion> regions() const = 0;

  /// The last computation as a kDwell16 image that the engine owns. `space` is the requested location of the
  /// pixels; a CPU engine, and partitions on devices without peer access, only support kHost. A partition's
  /// image has only its own rows.
  virtual ImageView image(MemorySpace space) = 0;
  /// Copies dwells out: whole rows from `first_row` on, as many as `dwells` holds. Throws InputError if these
  /// are not rows of the view.
  virtual void read_dwells(std::uint32_t first_row, std::span<std::uint32_t> dwells) const = 0;

  /// Counts the pixels of the last computation for each dwell from 0 to the limit; `counts` has limit + 1
  /// entries. All counts are 0 before the first computation.
  virtual void count_dwells(std::span<std::uint64_t> counts) const = 0;
  /// Computes the smooth dwells of the last computation's image (smooth_dwell.h) where the dwells are stored:
  /// iterates again every pixel that is not at the limit. Throws CapacityError.
  virtual SmoothReport compute_smooth() = 0;
  /// The last result of compute_smooth() as a kSmoothDwell32 image that the engine owns; `space` as for
  /// image().
  virtual ImageView smooth_image(MemorySpace space) = 0;

  /// Computes the view again, pixel by pixel by the plain loop, and compares.
  virtual DwellDifferences count_differences(std::size_t max_places) const = 0;

 protected:
  ProgressMonitor* monitor_ = nullptr;
};

class MandelbrotPartition;
/// A partition and its rows of an image.
struct PartitionRows {
  MandelbrotPartition* part = nullptr;
  std::vector<RowRange> rows = {};
};

/// An engine that may be one of several partitions of an image (compute/distributed).
class MandelbrotPartition : public MandelbrotEngine {
 public:
  /// Sets the work distribution for the next computations that it applies to; null: rows are assigned
  /// round-robin. It must outlive them, and must be set again after a change.
  virtual void set_distribution(const DwellDistribution* distribution) = 0;
  /// Whether the next computations record the cost of each first region, if the method is ASK. Recording has
  /// a small cost.
  virtual void record_costs(bool note) = 0;
  /// The cost of each first region of the last computation, row by row; 0 for regions of other partitions.
  /// Empty if nothing was recorded.
  virtual std::span<const std::uint32_t> region_costs() const = 0;

  /// The complete image in `space`: this partition's image(), or smooth_image(), with the given rows of other
  /// partitions copied into it. Nothing if those images can only be accessed through the host.
  virtual std::optional<ImageView> whole_image(std::span<const PartitionRows> others, bool smooth,
                                               MemorySpace space) = 0;
};

}  // namespace loom
