#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/life/scene/population.h"
#include "app/shell/worker.h"
#include "app/shell/workspace.h"
#include "compute/backend/engine_factory.h"

namespace loom::app {

/// What an engine is to do for one frame, in this order.
struct LifeJob {
  std::optional<RandomStart> restart;
  bool clear = false;
  std::vector<CellEdit> cells;
  std::uint32_t generations = 0;  ///< or writes, or sums
  Work work = {};
  bool resolve = false;  ///< the viewport into an image
  Viewport viewport = {};
  MemorySpace space = MemorySpace::kHost;
  std::optional<Coord64> probe;  ///< the cell whose state is asked for
  bool count_cells = false;      ///< take a census
  bool count_threads = false;    ///< count the threads of a launch, one by one
  /// Whether there is anything to do.
  bool empty() const;
  /// Forgets it all but the memory it holds.
  void reset();
};

/// What came of a job, or of building an engine.
struct LifeDone {
  bool of_build = false;   ///< came of build()
  bool built = false;      ///< another engine runs now
  bool new_field = false;  ///< of another fractal or level: it began with the random start
  bool cancelled = false;  ///< all that was whole before stays; of several generations, those that were done
  bool beside = false;     ///< done beside the frames, not within one
  std::string problem = {};  ///< why it could not be done; everything is as it was
  FrameReport frame = {};
  bool resolved = false;  ///< frame.image is the job's viewport
  std::optional<CountedCensus> census = {};
  double census_ms = 0;
  std::optional<ThreadCount> threads = {};
};

/// The smallest field of a fractal, under the same map: what stands in for an engine that is being built.
FractalConfig single_cell(FractalConfig config);

/// Owns the engine of a pane and replaces it when another is wished for. Works for a frame within it where
/// that takes a few milliseconds, else on a thread beside the frames: the window goes on, with what was there
/// before. All calls are for one thread, the window's.
class EngineHost {
 public:
  /// Builds the engine and its random start; one that takes long is begun here and goes on beside the frames,
  /// with a field of level 0 in its place. Throws InputError, CapacityError, MachineError.
  EngineHost(const FractalConfig& config, const BackendSelection& backend, const RandomStart& start);

  /// The engine that runs; only while not busy().
  FractalEngine& engine() { return *engine_; }
  const FractalEngine& engine() const { return *engine_; }

  /// What is known of that engine at any time.
  const FractalConfig& config() const { return config_; }
  const BackendSelection& backend() const { return backend_; }
  const std::string& backend_name() const { return backend_name_; }
  std::uint64_t generation() const { return generation_; }
  std::uint64_t cell_count() const { return cell_count_; }
  std::uint64_t bytes_held() const { return bytes_held_; }

  /// Whether work goes on beside the frames; nothing else can begin then.
  bool busy() const { return worker_.busy(); }
  /// Whether the frames' work is done beside them, as long as it takes as long as it last did.
  bool works_beside() const { return beside_; }
  Progress progress() const;
  /// Wishes an end to it: it comes soon, as a LifeDone that is cancelled.
  void cancel() { worker_.watch().cancel(); }

  /// Another engine: of the same fractal and level, the cells are carried over; else it begins with `start`.
  /// The old one stays until the new one is whole. Returns what came of it, or nothing where it goes on
  /// beside the frames. Throws DeviceFault.
  std::optional<LifeDone> build(const FractalConfig& config, const BackendSelection& backend,
                                const RandomStart& start);
  /// Another engine with the cells and the generation of `source`, which is of its fractal and level and must
  /// not be used by anybody until this has ended. Otherwise as build().
  std::optional<LifeDone> copy(const FractalConfig& config, const BackendSelection& backend,
                               const FractalEngine& source);
  /// The cells by canonical index, all of them, and their generation. Only while not busy().
  void put_cells(std::span<const std::uint8_t> cells, std::uint64_t generation);
  /// A frame's work. `job` may be used again at once. Returns as build() does. Throws DeviceFault.
  std::optional<LifeDone> run(const LifeJob& job);
  /// What came of the work beside the frames, where it ends within `most`. Throws DeviceFault.
  std::optional<LifeDone> finish(std::chrono::duration<double, std::milli> most);

 private:
  std::optional<LifeDone> begin(std::string what, double expected_ms, Worker::Job job);
  LifeDone take();
  void build_here(Watch& watch);
  void run_here(Watch& watch);
  double expected_ms(const LifeJob& job) const;
  void learn();

  FractalConfig config_;
  BackendSelection backend_;
  std::string backend_name_;
  std::uint64_t generation_ = 0;
  std::uint64_t cell_count_ = 0;
  std::uint64_t bytes_held_ = 0;
  bool beside_ = false;
  double step_ms_ = 0;     ///< of a generation, when it was last done
  double resolve_ms_ = 0;  ///< likewise
  double census_ms_ = 0;
  std::string doing_;

  // Belongs to the work under way while there is one.
  std::unique_ptr<FractalEngine> engine_;
  std::unique_ptr<FractalEngine> next_;
  FractalConfig wanted_;
  BackendSelection wanted_backend_;
  RandomStart start_;
  const FractalEngine* source_ =
      nullptr;  ///< of the cells of the engine that is built, where it is another's
  LifeJob job_;
  LifeDone done_;

  Worker worker_;  ///< last: ends before what it works on goes
};

}  // namespace loom::app
