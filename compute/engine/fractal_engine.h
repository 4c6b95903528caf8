#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "compute/core/coord.h"
#include "compute/core/image_view.h"
#include "compute/engine/fractal_config.h"
#include "compute/engine/step_report.h"
#include "compute/engine/viewport.h"
#include "compute/workload/workload.h"

namespace loom {

/// A random start: cell i is alive iff random_cell(seed, i, density).
struct RandomStart {
  std::uint64_t seed = 1;
  double density = 0.5;  ///< 0..1
};

/// Population and state hash as docs/maps.md and docs/command-line.md define them; independent of map,
/// storage, block size and backend.
struct Census {
  std::uint64_t population = 0;
  std::uint64_t hash = 0;
};

/// The game of life on one NBB fractal, on one backend. Cells start dead. Not thread-safe. Calls are
/// synchronous: when they return, the work is done and the report is complete. Errors: InputError for
/// arguments out of range; a fatal device error throws MachineError and the engine must then be discarded.
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

  virtual StepReport reset(const RandomStart& start) = 0;
  /// All cells dead, generation 0.
  virtual StepReport clear() = 0;
  /// Does the work `times` >= 0 times. Life and single write make a new generation each time; a reduction
  /// leaves the cells as they are and reports the sum. Allocates nothing.
  virtual StepReport run(std::uint32_t times, const Work& work) = 0;
  /// Advances `generations` >= 0 generations of life.
  StepReport step(std::uint32_t generations, LifeRule rule) { return run(generations, {.rule = rule}); }

  /// Writes the visible part as kDensity16 pixels into an image that the engine owns (see Viewport for what a
  /// pixel covers) and points `image` at it. `space` is where the caller wants the pixels; a CPU engine only
  /// offers kHost. Allocates only when the image grows.
  virtual StepReport resolve(const Viewport& viewport, MemorySpace space, ImageView& image) = 0;

  /// The state of the cell at an expanded coordinate; nothing where there is a hole or outside.
  virtual std::optional<bool> cell(Coord64 expanded) const = 0;
  /// Sets one cell. Returns false, and changes nothing, on a hole or outside.
  virtual bool edit(Coord64 expanded, bool alive) = 0;

  virtual Census census() const = 0;

  /// Copies cells out or in by canonical index, one byte a cell (0 or 1): [first, first + cells.size()).
  virtual void read_cells(std::uint64_t first, std::span<std::uint8_t> cells) const = 0;
  virtual void write_cells(std::uint64_t first, std::span<const std::uint8_t> cells) = 0;
  /// Sets the generation counter; used when cells are carried over from another engine.
  virtual void set_generation(std::uint64_t generation) = 0;
};

}  // namespace loom
