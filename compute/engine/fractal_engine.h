#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "compute/core/coord.h"
#include "compute/core/error.h"
#include "compute/core/image_view.h"
#include "compute/engine/fractal_config.h"
#include "compute/engine/pixel_lookup.h"
#include "compute/engine/progress_monitor.h"
#include "compute/engine/thread_count.h"
#include "compute/engine/timeline.h"
#include "compute/workload/random_start.h"
#include "compute/workload/workload.h"

namespace loom {

/// A random start: cell i is alive iff random_cell(seed, i, density).
struct RandomStart {
  std::uint64_t seed = 1;
  double density = 0.5;  ///< 0..1
};

/// Population and state hash (docs/reference/fractals.md); independent of map, storage, tile size and
/// backend.
struct Census {
  std::uint64_t population = 0;  ///< cells in state 1
  std::uint64_t hash = 0;

  /// Adds canonical cell `index` in this state.
  LOOM_HOST_DEVICE void add(std::uint64_t index, std::uint32_t state) {
    population += state == 1 ? 1 : 0;
    hash += state * hash_term(index);
  }
};

/// A change of one cell by the user.
template <int kDimensions>
struct CellEditOf {
  PointOf<kDimensions> cell;  ///< expanded coordinate
  std::uint8_t state = 0;     ///< bit-packed storage: 0 or 1
  friend constexpr bool operator==(const CellEditOf&, const CellEditOf&) = default;
};
using CellEdit = CellEditOf<2>;
using SolidEdit = CellEditOf<3>;

/// Life on one fractal of two or three dimensions, on one backend. Cells start dead. Not thread-safe. Calls
/// are synchronous: when they return, the work is done and the report is complete. Errors: InputError for
/// arguments out of range; MachineError for a fatal device error, after which the engine must be discarded.
template <int kDimensions>
class CellEngine {
 public:
  using Point = PointOf<kDimensions>;
  using Edit = CellEditOf<kDimensions>;

  virtual ~CellEngine() = default;

  const FractalConfigOf<kDimensions>& config() const { return config_; }
  /// One line for the status bar and JSON: "cuda: NVIDIA H200" or "cpu: 2 threads".
  virtual std::string backend_name() const = 0;
  /// The number of cells of the fractal, k^r.
  virtual std::uint64_t cell_count() const = 0;
  /// The states that cells may have: those of the last rule, or more after cells were edited or written.
  std::uint32_t states() const { return states_; }
  /// Bytes allocated for cells, both generations.
  virtual std::uint64_t allocated_bytes() const = 0;
  /// Generations since the last reset or clear.
  std::uint64_t generation() const { return generation_; }

  /// Sets the monitor for progress and cancellation of all later calls; null: none. The monitor must outlive
  /// those calls.
  void set_monitor(ProgressMonitor* monitor) { monitor_ = monitor; }

  virtual StepReport reset(const RandomStart& start) = 0;
  /// Sets all cells dead and the generation to 0.
  virtual StepReport clear() = 0;
  /// Repeats the work `times` >= 0 times. Cells in states that the work lacks become dead first: life has
  /// those of its rule, other work has two. Life and single write make a new generation each time; a
  /// reduction leaves the cells unchanged and reports the sum. Does not allocate memory. If cancelled, the
  /// cells are those of the last complete repetition, and the report has the number of repetitions.
  virtual StepReport run(std::uint32_t times, const WorkOf<kDimensions>& work) = 0;
  /// Advances `generations` >= 0 generations of life.
  StepReport step(std::uint32_t generations, LifeRuleOf<kDimensions> rule) {
    return run(generations, {.rule = rule});
  }

  /// The state of the cell at an expanded coordinate; nothing for a hole or a point outside.
  virtual std::optional<std::uint8_t> cell(Point expanded) const = 0;
  /// Sets cells, in order. Returns the number of edits that addressed a cell; edits of a hole or of a point
  /// outside are ignored.
  virtual std::uint64_t edit(std::span<const Edit> edits) = 0;

  virtual Census census() const = 0;
  /// Runs the method once to count its threads; takes about as long as a single write. Cells are unchanged.
  /// Throws std::bad_alloc, CapacityError.
  virtual ThreadCount count_threads() const = 0;

  /// Copy cells out or in by canonical index, one byte per cell, its state: [first, first + cells.size()).
  /// Bit-packed storage writes all states but 1 as 0.
  virtual void read_cells(std::uint64_t first, std::span<std::uint8_t> cells) const = 0;
  virtual void write_cells(std::uint64_t first, std::span<const std::uint8_t> cells) = 0;
  /// Sets the generation counter, after cells were transferred from another engine.
  virtual void set_generation(std::uint64_t generation) { generation_ = generation; }

  /// Prepares the cells for work, as run() does. Throws InputError as check_work().
  void fit_cells(const WorkOf<kDimensions>& work) {
    check_work(config(), work);
    const std::uint32_t states = states_of(work);
    if (states_ > states) drop_states(states);
    states_ = states;
  }

 protected:
  explicit CellEngine(const FractalConfigOf<kDimensions>& config) : config_(config) {}
  /// Notes that all cells were replaced by a start.
  void begin_anew() {
    generation_ = 0;
    states_ = 2;
  }
  /// Notes a state that was written.
  void hold(std::uint8_t state) { states_ = std::max<std::uint32_t>(states_, state + 1u); }
  void hold(std::span<const std::uint8_t> cells) {
    if (!cells.empty()) hold(*std::max_element(cells.begin(), cells.end()));
  }
  /// Cells whose state is `states` or more become dead.
  virtual void drop_states(std::uint32_t /*states*/) {}

  FractalConfigOf<kDimensions> config_;
  ProgressMonitor* monitor_ = nullptr;
  std::uint64_t generation_ = 0;
  std::uint32_t states_ = 2;
};

class FractalEngine;

/// The request for one frame, in the order of execution. The referenced data is not copied.
struct FrameRequest {
  std::span<const CellEdit> edits = {};  ///< if a cell occurs several times, the last edit counts
  std::uint32_t generations = 0;         ///< number of repetitions of `work`
  Work work = {};
  const Viewport* viewport = nullptr;           ///< null: no image
  MemorySpace space = MemorySpace::kHost;       ///< requested location of the image
  std::optional<Coord64> probe = std::nullopt;  ///< a cell to read after the step
  /// Another engine whose frame was begun earlier. If both use the same device, this engine's work is ordered
  /// after the other's, so that each is timed separately; null: none.
  const FractalEngine* after = nullptr;
};
struct FrameReport {
  double edit_milliseconds = 0;
  std::uint64_t edited = 0;  ///< edits that addressed a cell
  StepReport step;
  StepReport resolve;
  ImageView image;                     ///< as from FractalEngine::resolve(); empty if no image was requested
  std::optional<std::uint8_t> probed;  ///< as from FractalEngine::cell()
  /// The frame ended early: `step` has the completed generations; there is no image and no probe result.
  bool cancelled = false;
};

/// The game of life on one NBB fractal.
///
/// A call that is cancelled through the monitor throws OperationCancelled (except run() and frame(), which
/// report it) and leaves the engine usable: the cells are as before the call, but write_cells() and
/// write_bits() may have written some cells.
class FractalEngine : public CellEngine<2> {
 public:
  /// Waits for background work that makes later calls faster, such as the compilation of kernels. For callers
  /// that measure times.
  virtual void wait_for_compilation() const {}
  /// Whether that background work is complete; backend_name() may change until then. Can be called from any
  /// thread.
  virtual bool is_compilation_done() const { return true; }

  /// Writes the visible part as kDensity16 pixels into an image that the engine owns (see Viewport for the
  /// area of a pixel) and points `image` at it. `space` is the requested location of the pixels; a CPU engine
  /// only supports kHost. Allocates memory only when the image grows.
  virtual StepReport resolve(const Viewport& viewport, MemorySpace space, ImageView& image) = 0;

  /// The work of a frame in one call: equal to edit(), run(), resolve() and cell(), but with one
  /// synchronization with the device. Does not allocate memory once the image and the edits have had their
  /// largest size.
  FrameReport frame(const FrameRequest& request) {
    begin_frame(request);
    return end_frame();
  }
  /// Begins the frame: work is enqueued on a device without waiting, unless a monitor is set; the CPU does
  /// the work immediately. No other call is allowed until end_frame(), which waits, and the data that the
  /// request references must not change. If it throws, no work has begun.
  virtual void begin_frame(const FrameRequest& request) = 0;
  virtual FrameReport end_frame() = 0;
  /// Waits for the work that begin_frame() has enqueued, without side effects. For engines that are ordered
  /// after this one (FrameRequest::after).
  virtual void wait_for_frame() const {}

  /// Records when each thread block ran, and where, in one generation of life. It runs the regular step twice
  /// and the instrumented copy twice, the first run of each as a warm-up. Cells are unchanged. Throws
  /// InputError (validate(); on CUDA also if coordinates need 64 bits, for which no instrumented copy is
  /// compiled; always for bit-packed storage), MachineError if the device has no timer, std::bad_alloc,
  /// CapacityError.
  virtual Timeline record_timeline(const TimelineOptions&) {
    throw InputError("no timeline for bit-packed storage; allowed: --storage bytes");
  }

  /// Records what each of several devices did in a generation of life, by an instrumented step that is not
  /// the one that is timed. Cells are unchanged. Throws InputError if there is only one device.
  virtual DeviceTimeline record_devices(LifeRule) {
    throw InputError("a single device has no halo exchange to record; allowed: several devices");
  }

  /// Copy all cells out or in as bits: one plane of bytes_of_bits(cell_count()) bytes, or one per bit of the
  /// states, from the lowest on (planes_of()). Bit-packed storage writes cells in state 1 as living and all
  /// others as dead.
  virtual void read_bits(std::span<std::uint8_t> bits) const;
  virtual void write_bits(std::span<const std::uint8_t> bits);

 protected:
  using CellEngine::CellEngine;
  /// The number of planes; throws InputError if `bytes` is not the number of bytes of one to eight.
  std::uint32_t check_bits(std::uint64_t bytes) const;
};

// Cells as bits by canonical index: cell i is bit i % 8 of byte i / 8. Bits after the last cell are 0.

/// Bytes for this number of cells.
constexpr std::uint64_t bytes_of_bits(std::uint64_t cells) {
  return cells / 8 + (cells % 8 != 0 ? 1 : 0);
}

/// The bits of a state, 1 to 8.
constexpr std::uint32_t planes_of(std::uint32_t states) {
  return static_cast<std::uint32_t>(std::bit_width(std::max(states, 2u) - 1));
}

/// The plane of the cells in state 1 of planes of `plane` bytes each.
std::vector<std::uint8_t> living_bits(std::span<const std::uint8_t> bits, std::uint64_t plane);

/// Convert between one byte per cell (0 if dead) and bits; unpacking gives 0 or 1. `bits` has
/// bytes_of_bits(cells.size()) bytes.
void pack_cells(std::span<const std::uint8_t> cells, std::uint8_t* bits);
void unpack_cells(const std::uint8_t* bits, std::span<std::uint8_t> cells);

/// The number of cells in each state, from 0 to engine.states() - 1. Reads all cells if there are more than
/// two.
template <int kDimensions>
std::vector<std::uint64_t> count_states(const CellEngine<kDimensions>& engine);

/// Runs a frame synchronously, for engines that do not enqueue: calls the engine's edit(), run(), resolve()
/// and cell().
FrameReport run_synchronous_frame(FractalEngine& engine, const FrameRequest& request,
                                  ProgressMonitor* monitor);

}  // namespace loom
