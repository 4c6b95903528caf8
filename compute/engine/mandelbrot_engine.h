#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "compute/core/coord.h"
#include "compute/core/image_view.h"
#include "compute/engine/timeline.h"
#include "compute/engine/watch.h"
#include "compute/mandelbrot/dwell_share.h"
#include "compute/mandelbrot/julia.h"
#include "compute/mandelbrot/mandelbrot_config.h"
#include "compute/mandelbrot/mandelbrot_report.h"

namespace loom {

/// A pixel whose dwell is not the exhaustive method's.
struct DwellDifference {
  Coord32 pixel;
  std::uint32_t dwell = 0;     ///< as held
  std::uint32_t expected = 0;  ///< by the plain loop
};

/// Of more, those that are listed are any.
inline constexpr std::uint64_t kMostDifferencesInOrder = std::uint64_t{1} << 20;

struct DwellDifferences {
  std::uint64_t count = 0;
  /// At most as many as were asked for, by row and column: the first ones, where there are at most
  /// kMostDifferencesInOrder.
  std::vector<DwellDifference> places;
};

/// Dwells of the Mandelbrot set, on one backend. Holds the memory between calls; method and view are chosen
/// anew with each. Not thread-safe; calls are synchronous. A call that throws may leave no image; the
/// engine can be used on, but after DeviceFault, when it must be discarded. A call that a watch cancels
/// throws Cancelled. An engine may compute and hold a share of every picture alone (compute/split joins
/// several): what it counts, compares and reports is then of its own rows, and what it reads leaves the
/// others as they were.
class MandelbrotEngine {
 public:
  virtual ~MandelbrotEngine() = default;

  /// One line for the status bar and JSON: "cuda: NVIDIA H200" or "cpu: 2 threads".
  virtual std::string backend_name() const = 0;
  /// Bytes held for dwells, OLTs and region lists.
  virtual std::uint64_t bytes_held() const = 0;
  /// Has every call from now on watched; null: none. The watch must outlive that.
  void set_watch(Watch* watch) { watch_ = watch; }

  enum class Regions { kCount, kList };
  /// Computes every dwell of the view. With kList the regions are kept for regions(); that takes time and
  /// memory. Allocates only what the largest call so far did not. Throws InputError (validate), CapacityError
  /// (needed and free bytes), MachineError (DP: a launch from the device failed).
  virtual MandelbrotReport compute(const MandelbrotConfig& config, const MandelbrotView& view,
                                   Regions regions = Regions::kCount) = 0;

  /// Computes the view like compute(), some times by the kernels that are timed and twice by their
  /// instrumented copies, and says when which thread block of the last time ran where. The image is then that
  /// of this computation. Throws like compute(); also InputError (validate(); on CUDA where the precision is
  /// double, which no copy is compiled for), MachineError where the device has no timer.
  virtual Timeline record_timeline(const MandelbrotConfig& config, const MandelbrotView& view,
                                   const TimelineWish& wish) = 0;

  /// What was computed last; a default one before the first computation.
  virtual const MandelbrotConfig& config() const = 0;
  virtual const MandelbrotView& view() const = 0;
  /// The rows of the view that it holds, in order: all, unless it computes a share; none before the first
  /// computation.
  virtual std::span<const RowRange> rows() const = 0;
  /// Of several parts, what each took of the last computation; else nothing.
  virtual std::span<const MandelbrotPartTime> part_times() const { return {}; }
  /// The rows that one of them computed, in order.
  virtual std::span<const RowRange> rows_of_part(std::size_t) const { return {}; }
  /// The regions of the last computation, by level, row and column; empty unless they were asked for.
  virtual std::span<const MandelbrotRegion> regions() const = 0;

  /// The last computation as a kDwell16 image that the engine owns. `space` is where the caller wants the
  /// pixels; a CPU engine, and parts that do not reach each other's memory, only offer kHost. Of a share, the
  /// rows that it holds are there.
  virtual ImageView image(MemorySpace space) = 0;
  /// Copies dwells out: rows from `first_row`, as many as `dwells` holds whole. Throws InputError where these
  /// are not rows of the view.
  virtual void read_dwells(std::uint32_t first_row, std::span<std::uint32_t> dwells) const = 0;

  /// How many pixels of the last computation have each dwell, from 0 to the limit; `counts` has room for as
  /// many. All 0 before the first computation.
  virtual void count_dwells(std::span<std::uint64_t> counts) const = 0;
  /// Computes the smooth dwells of the last computation's image (smooth_dwell.h): the orbit of every pixel
  /// that is not at the limit once more, where the dwells are. Throws CapacityError.
  virtual SmoothReport compute_smooth() = 0;
  /// What compute_smooth() computed last, as a kSmoothDwell32 image that the engine owns; `space` as of
  /// image().
  virtual ImageView smooth_image(MemorySpace space) = 0;

  /// The dwells of a Julia set, row by row; `out` holds width x height. Leaves the image as it is.
  virtual void compute_julia(const JuliaView& view, std::span<std::uint16_t> out) = 0;

  /// Computes the view again, pixel by pixel by the plain loop, and compares.
  virtual DwellDifferences count_differences(std::size_t most_places) const = 0;

 protected:
  Watch* watch_ = nullptr;
};

}  // namespace loom
