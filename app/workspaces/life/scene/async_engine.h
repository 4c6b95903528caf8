#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/shell/workspace.h"
#include "app/tasks/worker.h"
#include "app/workspaces/life/scene/census_schedule.h"
#include "app/workspaces/life/scene/device_record.h"
#include "app/workspaces/life/scene/state_restore.h"
#include "compute/backend/engine_factory.h"

namespace loom::app {

/// The work of an engine for one frame. It is executed in the order of the members, except where noted.
struct LifeFrameRequest {
  /// Recomputes a state. StateRestore::restores_on_cancel says which cells remain after a cancellation.
  std::shared_ptr<const StateRestore> restore;
  std::optional<RandomStart> restart;
  bool clear = false;
  std::vector<CellEdit> cells;
  std::uint32_t generations = 0;  ///< number of generations, writes or sums
  Work work = {};
  bool resolve = false;  ///< resolve the viewport into an image
  Viewport viewport = {};
  MemorySpace space = MemorySpace::kHost;
  std::optional<Coord64> probe;  ///< a cell whose state is read
  bool count_cells = false;      ///< take a census
  bool count_threads = false;    ///< count the threads of a launch, one by one
  bool record_devices = false;   ///< record the activity of each device in a generation
  bool record = false;           ///< record a timeline of one generation with an instrumented kernel
  bool take_cells = false;       ///< copy all cells to the host, as the last step
  bool save_before = false;      ///< copy the cells before restore, restart and clear
  /// Cells whose states are read before all other work.
  std::shared_ptr<const std::vector<Coord64>> cells_to_query = {};
  const char* edit_label = nullptr;  ///< LifeCommands::edit_label
  /// The recorded state that this request restores; nothing for new changes.
  std::optional<StateId> target_state;
  /// The user action that the changes belong to.
  std::uint64_t action = 0;
  /// True if there is nothing to do.
  bool empty() const;
  /// Clears the request and keeps its memory.
  void reset();
};

/// The result of a request or of building an engine.
struct LifeFrameResult {
  bool from_build = false;     ///< the result of build() or copy()
  bool built = false;          ///< a new engine runs now
  bool new_field = false;      ///< the new engine has another fractal or level than the old one
  bool cancelled = false;      ///< the cells are intact; of several generations, the completed ones remain
  bool in_background = false;  ///< executed in the background, not within a frame
  bool is_pipelined = false;   ///< started ahead on a device, in the previous frame
  bool worked = false;         ///< the requested changes were completed
  std::string problem = {};    ///< why the request failed entirely or in part; the cells are intact
  FrameReport frame = {};
  bool resolved = false;  ///< frame.image shows the request's viewport
  std::optional<CountedCensus> census = {};
  double census_ms = 0;
  std::optional<ThreadCount> threads = {};
  std::optional<Timeline> timeline = {};
  std::string timeline_problem = {};  ///< why a requested timeline was not recorded
  std::optional<DeviceRecord> devices = {};

  // The completed changes of the request, for undo.
  std::shared_ptr<const StateRestore> restore = {};
  std::optional<RandomStart> restart = {};
  bool clear = false;
  std::vector<CellEdit> edits = {};
  std::vector<CellEdit> before = {};  ///< the previous states of the same cells
  const char* edit_label = nullptr;   ///< LifeCommands::edit_label
  Work work = {};                     ///< the work of frame.step
  std::optional<StateId> target_state = {};
  std::uint64_t action = 0;
  std::vector<CellSnapshot> snapshots = {};    ///< stored while a state was recomputed
  std::shared_ptr<const CellBits> cells = {};  ///< result of take_cells
  std::shared_ptr<const std::vector<std::uint8_t>> queried_cells = {};  ///< of cells_to_query; 1: alive
  /// Result of save_before, or the old engine's cells if build() was asked to save them.
  std::shared_ptr<const CellBits> previous_cells = {};
};

/// The smallest field of a fractal under the same map: the placeholder while an engine is being built.
FractalConfig single_cell(FractalConfig config);

/// Owns the engine of a pane and replaces it on request. Requests of a few milliseconds run within the frame,
/// longer ones on a background thread while the window shows the previous state. All calls must come from the
/// window thread.
class AsyncEngine {
 public:
  /// Builds the engine and its random start. A long build continues in the background, with a field of level
  /// 0 as placeholder. Throws InputError, CapacityError, MachineError.
  AsyncEngine(const FractalConfig& config, const BackendSelection& backend, const RandomStart& start);

  /// The current engine; only while not busy(). Waits for work that a device executes ahead, so that
  /// generation() is up to date afterwards.
  FractalEngine& engine() {
    wait_for_device();
    return *engine_;
  }
  const FractalEngine& engine() const { return const_cast<AsyncEngine*>(this)->engine(); }

  /// Properties of that engine, available at any time.
  const FractalConfig& config() const { return config_; }
  const BackendSelection& backend() const { return backend_; }
  const std::string& backend_name() const;
  std::uint64_t generation() const { return generation_; }
  std::uint64_t cell_count() const { return cell_count_; }
  std::uint64_t allocated_bytes() const { return bytes_held_; }

  /// True while work runs in the background; no other work can be started then.
  bool busy() const { return worker_.busy(); }
  /// True if the work of frames runs in the background, judged by its last duration.
  bool runs_in_background() const { return in_background_; }
  /// True if the next frame's work can start before this frame is drawn: the engine runs on a GPU, and its
  /// work fits into a frame.
  bool can_pipeline() const { return backend_.device.works_ahead && !in_background_; }
  Progress progress() const;
  /// Requests cancellation; it arrives as a cancelled LifeFrameResult.
  void cancel() { worker_.watch().cancel(); }

  /// Builds another engine. For the same fractal and level it takes over the cells, otherwise it begins with
  /// `start`. The old engine stays until the new one is complete. With `save_before`, the cells of an engine
  /// of another field are copied to the host first. Returns the result, or nothing if the build continues in
  /// the background. Throws DeviceFault.
  std::optional<LifeFrameResult> build(const FractalConfig& config, const BackendSelection& backend,
                                       const RandomStart& start, bool save_before = false);
  /// Builds another engine with the cells and the generation of `source`, which must have the same fractal
  /// and level and must not be used until the build ends. Otherwise like build().
  std::optional<LifeFrameResult> copy(const FractalConfig& config, const BackendSelection& backend,
                                      const FractalEngine& source);
  struct BeginOptions {
    bool is_pipelined = false;           ///< the work belongs to the next frame
    const AsyncEngine* after = nullptr;  ///< an engine whose work was begun before, see FrameRequest::after
  };
  /// Starts the work of a frame. `request` may be reused immediately. Work on the CPU is complete when this
  /// returns; work on a device continues, and finish() waits for it. Throws DeviceFault.
  void begin(const LifeFrameRequest& request, const BeginOptions& turn);
  void begin(const LifeFrameRequest& request) { begin(request, BeginOptions{}); }
  /// The result of the started work: immediately for the CPU, after the device for a device, and for
  /// background work only if it ends within `most`. Nothing if no work was started. Throws DeviceFault.
  std::optional<LifeFrameResult> finish(std::chrono::duration<double, std::milli> most);

 private:
  /// State of the work that was begun: none, complete but not taken, on a device, or on the worker.
  enum class WorkState { kNothing, kFinished, kOnDevice, kOnWorker };

  std::optional<LifeFrameResult> start_build();
  LifeFrameResult take();
  void build_engine(ProgressMonitor& watch);
  void run_request(ProgressMonitor& watch);
  /// Steps of begin_frame().
  void restore(ProgressMonitor* watch);
  void apply_restore(const StateRestore& way, ProgressMonitor* watch);
  void run_query();
  std::vector<std::uint8_t> states_of(std::span<const Coord64> cells);
  std::shared_ptr<const CellBits> read_cells() const;
  void begin_work(const FractalEngine* after);
  void begin_frame(const FractalEngine* after, ProgressMonitor* watch);
  void end_frame();
  void wait_for_device();
  template <typename Part>
  void run_guarded(const Part& part);
  void record();
  void record_devices();
  double expected_ms(const LifeFrameRequest& request) const;
  void update_time_estimates();

  FractalConfig config_;
  BackendSelection backend_;
  mutable std::string backend_name_;
  mutable bool backend_name_is_fixed_ = true;
  std::uint64_t generation_ = 0;
  std::uint64_t cell_count_ = 0;
  std::uint64_t bytes_held_ = 0;
  bool in_background_ = false;
  WorkState work_state_ = WorkState::kNothing;
  bool building_ = false;
  double step_ms_ = 0;     ///< per generation, last measurement
  double resolve_ms_ = 0;  ///< per image, last measurement
  double census_ms_ = 0;
  const char* activity_ = "";  ///< shown as progress, such as "building"

  // The running work owns these members until it ends.
  std::unique_ptr<FractalEngine> engine_;
  std::unique_ptr<FractalEngine> next_;
  FractalConfig requested_config_;
  bool save_before_ = false;
  BackendSelection requested_backend_;
  RandomStart start_;
  /// The engine whose cells copy() takes over; null for build().
  const FractalEngine* source_ = nullptr;
  LifeFrameRequest request_;
  LifeFrameResult done_;

  Worker worker_;  ///< declared last: it ends before the members that it uses are destroyed
};

}  // namespace loom::app
