#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "compute/core/coord.h"
#include "compute/core/error.h"
#include "compute/core/image_view.h"
#include "compute/engine/device_times.h"
#include "compute/engine/fractal_config.h"
#include "compute/engine/step_report.h"
#include "compute/engine/thread_count.h"
#include "compute/engine/timeline.h"
#include "compute/engine/viewport.h"
#include "compute/engine/watch.h"
#include "compute/workload/workload.h"

namespace loom {

/// A random start: cell i is alive iff random_cell(seed, i, density).
struct RandomStart {
  std::uint64_t seed = 1;
  double density = 0.5;  ///< 0..1
};

/// Population and state hash (docs/reference/fractals.md); independent of map, storage, block size and
/// backend.
struct Census {
  std::uint64_t population = 0;
  std::uint64_t hash = 0;
};

/// A cell that is set from outside.
struct CellEdit {
  Coord64 cell;  ///< expanded coordinate
  bool alive = false;
};

class FractalEngine;

/// All that one frame wants of an engine, in the order in which it is done. What it points to is not copied.
struct FrameWish {
  std::span<const CellEdit> edits = {};  ///< of one cell several times: the last one counts
  std::uint32_t generations = 0;         ///< times that `work` is done
  Work work = {};
  const Viewport* viewport = nullptr;           ///< null: no picture
  MemorySpace space = MemorySpace::kHost;       ///< where the picture is wanted
  std::optional<Coord64> probe = std::nullopt;  ///< a cell to look at afterwards
  /// Another engine whose frame was begun before. Where both work on one device this one's work comes after
  /// it there, so that the times of each are its own; null: none.
  const FractalEngine* after = nullptr;
};
struct FrameReport {
  double edit_milliseconds = 0;
  std::uint64_t edited = 0;  ///< edits that were of a cell
  StepReport step;
  StepReport resolve;
  ImageView image;             ///< as of FractalEngine::resolve(); empty where none was wanted
  std::optional<bool> probed;  ///< as of FractalEngine::cell()
  /// Ended early: `step` says how many generations are done, there is no picture, nothing was probed.
  bool cancelled = false;
};

/// The game of life on one NBB fractal, on one backend. Cells start dead. Not thread-safe. Calls are
/// synchronous: when they return, the work is done and the report is complete. Errors: InputError for
/// arguments out of range; a fatal device error throws MachineError and the engine must then be discarded.
///
/// A call that a watch cancels throws Cancelled (run() and frame() do not, they say so) and leaves the engine
/// usable: the cells are as before the call, but write_cells() and write_bits() may have written some of its
/// own.
class FractalEngine {
 public:
  virtual ~FractalEngine() = default;

  virtual const FractalConfig& config() const = 0;
  /// One line for the status bar and JSON: "cuda: NVIDIA H200" or "cpu: 2 threads".
  virtual std::string backend_name() const = 0;
  /// Cells of the fractal, k^r.
  virtual std::uint64_t cell_count() const = 0;
  /// Bytes held for cells, both generations.
  virtual std::uint64_t bytes_held() const = 0;
  /// Generations since the last reset or clear.
  virtual std::uint64_t generation() const = 0;

  /// Has every call from now on watched; null: none. The watch must outlive that.
  void set_watch(Watch* watch) { watch_ = watch; }

  /// Waits for what makes later calls faster and is made beside them: kernels that are being compiled. For
  /// those who time calls.
  virtual void wait_until_fast() const {}
  /// Whether that has nothing to wait for; backend_name() may change until then. From any thread.
  virtual bool is_fast() const { return true; }

  virtual StepReport reset(const RandomStart& start) = 0;
  /// All cells dead, generation 0.
  virtual StepReport clear() = 0;
  /// Does the work `times` >= 0 times. Life and single write make a new generation each time; a reduction
  /// leaves the cells as they are and reports the sum. Allocates nothing. Where it is cancelled the cells are
  /// those of the last whole time, and the report says how many there were.
  virtual StepReport run(std::uint32_t times, const Work& work) = 0;
  /// Advances `generations` >= 0 generations of life.
  StepReport step(std::uint32_t generations, LifeRule rule) { return run(generations, {.rule = rule}); }

  /// Writes the visible part as kDensity16 pixels into an image that the engine owns (see Viewport for what a
  /// pixel covers) and points `image` at it. `space` is where the caller wants the pixels; a CPU engine only
  /// offers kHost. Allocates only when the image grows.
  virtual StepReport resolve(const Viewport& viewport, MemorySpace space, ImageView& image) = 0;

  /// The state of the cell at an expanded coordinate; nothing where there is a hole or outside.
  virtual std::optional<bool> cell(Coord64 expanded) const = 0;
  /// Sets cells, in order. Returns how many edits were of a cell; one of a hole or outside changes nothing.
  virtual std::uint64_t edit(std::span<const CellEdit> edits) = 0;
  /// A frame's work in one call: the same as edit(), run(), resolve() and cell(), but a device is waited for
  /// once, and nothing is allocated once the image and the edits were as large before.
  FrameReport frame(const FrameWish& wish) {
    begin_frame(wish);
    return end_frame();
  }
  /// The same in two: a device is given its work and, where nothing is watched, not waited for; the CPU does
  /// it at once. Until end_frame(), which waits, there is no other call, and what the wish points to stays as
  /// it is. Where it throws nothing has begun.
  virtual void begin_frame(const FrameWish& wish) = 0;
  virtual FrameReport end_frame() = 0;
  /// Waits for what begin_frame() has given to a device, and changes nothing. For engines that take turns
  /// with this one (FrameWish::after).
  virtual void wait_for_begun() const {}

  virtual Census census() const = 0;
  /// Runs the method once, to count its threads and no more: takes about as long as a single write. Cells
  /// stay as they are. Throws std::bad_alloc, CapacityError.
  virtual ThreadCount count_threads() const = 0;
  /// Computes one generation of life twice by the step that is timed and twice by its instrumented copy, to
  /// have code and memory at hand, and says when which thread block of the last one ran where. Cells stay as
  /// they are. Throws InputError (validate(); on CUDA also where coordinates need 64 bits, which no copy is
  /// compiled for; as here where cells are bits), MachineError where the device has no timer,
  /// std::bad_alloc, CapacityError.
  virtual Timeline record_timeline(const TimelineWish&) {
    throw InputError("a timeline is recorded of cells held as bytes; allowed: --storage bytes");
  }

  /// Computes generations of life and says when each of several devices did what in the last one: recorded by
  /// a step of its own, which is not the one that is timed. Cells stay as they are. Throws InputError where
  /// there is one device.
  virtual DeviceTimes record_devices(LifeRule) {
    throw InputError("one device has all the cells: nothing is exchanged; allowed: several devices");
  }

  /// Copies cells out or in by canonical index, one byte a cell (0 or 1): [first, first + cells.size()).
  virtual void read_cells(std::uint64_t first, std::span<std::uint8_t> cells) const = 0;
  virtual void write_cells(std::uint64_t first, std::span<const std::uint8_t> cells) = 0;
  /// The same of all cells, a bit a cell (packed_cells.h).
  virtual void read_bits(std::span<std::uint8_t> bits) const;
  virtual void write_bits(std::span<const std::uint8_t> bits);
  /// Sets the generation counter; used when cells are carried over from another engine.
  virtual void set_generation(std::uint64_t generation) = 0;

 protected:
  /// Throws InputError where all cells as bits have not so many bytes.
  void check_bits(std::uint64_t bytes) const;

  Watch* watch_ = nullptr;
};

}  // namespace loom
