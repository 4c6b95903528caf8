#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/tasks/async_engine.h"
#include "app/workspaces/life/scene/cell_history.h"
#include "app/workspaces/life/scene/cycle_detector.h"
#include "compute/backend/engine_factory.h"
#include "compute/engine/timeline.h"

namespace loom::app {

/// The recorded activity of each device in one generation.
struct DeviceRecord {
  DeviceTimeline times;
  std::string problem;  ///< why nothing was recorded; empty on success
};

inline bool is_same_field(const FractalConfig& a, const FractalConfig& b) {
  return a.level == b.level && a.fractal == b.fractal;
}

class LifeEngine;

/// Another engine to build. The old one stays until it is complete.
struct LifeBuild {
  FractalConfig config;
  BackendSelection backend = {};
  /// The start of a field of another fractal or level; for the same field, the cells are taken over.
  RandomStart start = {};
  /// The engine whose cells and generation are copied instead. It has the same fractal and level and must not
  /// be used until the request has ended.
  const FractalEngine* source = nullptr;
  bool save_before = false;  ///< copy the cells of the old engine, if it has another field
};

/// The work of an engine for one frame. It is executed in the order of the members, except where noted.
struct LifeFrameRequest {
  std::optional<LifeBuild> build = {};  ///< replaces all other work
  /// Recomputes a state. StateRestore::restores_on_cancel says which cells remain after a cancellation.
  std::shared_ptr<const StateRestore> restore = {};
  std::optional<RandomStart> restart = {};
  bool clear = false;
  std::vector<CellEdit> cells = {};
  std::uint32_t generations = 0;  ///< number of generations, writes or sums
  Work work = {};
  bool resolve = false;  ///< resolve the viewport into an image
  Viewport viewport = {};
  MemorySpace space = MemorySpace::kHost;
  std::optional<Coord64> probe = {};  ///< a cell whose state is read
  bool count_cells = false;           ///< take a census
  bool count_threads = false;         ///< count the threads of a launch, one by one
  bool record_devices = false;        ///< record the activity of each device in a generation
  bool record = false;                ///< record a timeline of one generation with an instrumented kernel
  bool take_cells = false;            ///< copy all cells to the host, as the last step
  bool save_before = false;           ///< copy the cells before restore, restart and clear
  /// Cells whose states are read before all other work.
  std::shared_ptr<const std::vector<Coord64>> cells_to_query = {};
  const char* edit_label = nullptr;  ///< LifeCommands::edit_label
  /// The recorded state that this request restores; nothing for new changes.
  std::optional<StateId> target_state = {};
  /// The user action that the changes belong to.
  std::uint64_t action = 0;
  bool is_pipelined = false;             ///< the work belongs to the next frame
  const FractalEngine* after = nullptr;  ///< FrameRequest::after; ignored in the background
  /// True if there is nothing to do.
  bool empty() const;
  /// Clears the request and keeps its memory.
  void reset();
};

/// The result of a request. The completed changes are there for undo.
struct LifeFrameResult {
  std::unique_ptr<LifeEngine> next = {};  ///< the engine that was built, until it replaces the old one
  bool built = false;                     ///< another engine was built
  bool new_field = false;                 ///< of another fractal or level
  bool worked = false;                    ///< the frame is complete: `frame` and its changes
  FrameReport frame = {};
  std::optional<CountedCensus> census = {};
  double census_ms = 0;
  double after_ms = 0;  ///< of what follows the step and the image: counting, recording, copying
  std::optional<ThreadCount> threads = {};
  std::shared_ptr<const Timeline> timeline = {};
  std::string timeline_problem = {};  ///< why a requested timeline was not recorded
  std::optional<DeviceRecord> devices = {};

  bool restored = false;  ///< the state of `restore` was recomputed
  /// The random start that the cells began with, which is that of the restore's base if the restore failed.
  std::optional<RandomStart> restart = {};
  bool cleared = false;
  std::vector<CellEdit> edits =
      {};  ///< of the request's cells, those of the fractal; none if nothing changed
  std::vector<CellEdit> before = {};           ///< the previous states of the same cells
  std::vector<CellSnapshot> snapshots = {};    ///< stored while a state was recomputed
  std::shared_ptr<const CellBits> cells = {};  ///< result of take_cells
  std::shared_ptr<const std::vector<std::uint8_t>> queried_cells = {};  ///< of cells_to_query
  std::shared_ptr<const CellBits> previous_cells = {};                  ///< result of save_before
};

using LifeFrameOutcome = EngineOutcome<LifeFrameRequest, LifeFrameResult>;

/// The smallest field of a fractal under the same map: the placeholder while an engine is being built.
FractalConfig single_cell(FractalConfig config);

/// Executes the frames of a FractalEngine, for AsyncEngine.
class LifeEngine {
 public:
  using Outcome = LifeFrameOutcome;

  /// Starts with dead cells. `monitor` monitors the construction. Throws as make_fractal_engine() does.
  LifeEngine(const FractalConfig& config, const BackendSelection& backend,
             ProgressMonitor* monitor = nullptr);

  // These may be called while a request runs.
  const FractalConfig& config() const { return engine_->config(); }
  const BackendSelection& backend() const { return backend_; }
  const std::string& backend_name() const;
  /// The generation after the last request that has ended.
  std::uint64_t generation() const { return generation_; }
  std::uint64_t cell_count() const { return cell_count_; }
  std::uint32_t states() const { return states_; }
  std::uint64_t allocated_bytes() const { return allocated_bytes_; }
  /// True if a device may continue a request while the window goes on.
  bool works_ahead() const { return backend_.device.works_ahead; }
  double expected_ms(const LifeFrameRequest& request) const;
  std::string activity(const LifeFrameRequest& request) const;
  static const char* out_of_memory(const LifeFrameRequest& request);
  void update(LifeFrameOutcome& done);

  // The running request uses the rest.
  FractalEngine& engine() { return *engine_; }
  const FractalEngine& engine() const { return *engine_; }
  void set_monitor(ProgressMonitor* monitor);
  bool begin(const LifeFrameRequest& request, LifeFrameResult& result);
  void end(const LifeFrameRequest& request, LifeFrameResult& result);

 private:
  bool is_built(const LifeBuild& build) const;
  void build(const LifeBuild& build, LifeFrameResult& result);
  void begin_frame(const LifeFrameRequest& request, LifeFrameResult& result);
  void end_frame(const LifeFrameRequest& request, LifeFrameResult& result);
  void restore(const StateRestore& way, LifeFrameResult& result);
  void apply_restore(const StateRestore& way, LifeFrameResult& result);
  void check_edits(std::span<const CellEdit> edits, LifeFrameResult& result) const;
  std::vector<std::uint8_t> states_of(std::span<const Coord64> cells) const;
  std::shared_ptr<const CellBits> read_cells() const;

  BackendSelection backend_;
  std::unique_ptr<FractalEngine> engine_;
  ProgressMonitor* monitor_ = nullptr;
  mutable std::string backend_name_;
  mutable bool backend_name_is_fixed_;
  std::uint64_t cell_count_;
  std::uint64_t allocated_bytes_;
  std::uint64_t generation_ = 0;
  std::uint32_t states_ = 2;
  // Of the last measurement; 0 before it.
  double step_ms_ = 0;     ///< per generation
  double resolve_ms_ = 0;  ///< per image
  double census_ms_ = 0;
};

/// The engine of a configuration with its random start, or, if it takes long to build, a placeholder of
/// single_cell(), which a LifeBuild replaces. Throws InputError, CapacityError, MachineError.
std::unique_ptr<LifeEngine> first_engine(const FractalConfig& config, const BackendSelection& backend,
                                         const RandomStart& start);

}  // namespace loom::app
