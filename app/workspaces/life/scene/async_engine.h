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

/// What an engine is to do for one frame, in this order.
struct LifeFrameRequest {
  /// Recomputes a state. If cancelled, the previous cells are restored.
  std::shared_ptr<const StateRestore> restore;
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
  bool record_devices = false;   ///< what each of several devices does in a generation
  bool record = false;           ///< a timeline of one generation, by an instrumented copy
  bool take_cells = false;       ///< copy all cells to the host, at last
  bool save_before = false;      ///< and before replay, restart and clear
  std::shared_ptr<const std::vector<Coord64>> cells_to_query =
      {};                            ///< cells whose states are asked for, first of all
  const char* edit_label = nullptr;  ///< LifeCommands::edit_label
  /// The state that the job restores, or nothing for new changes; and the user action that they belong to.
  std::optional<StateId> target_state;
  std::uint64_t action = 0;
  /// Whether there is anything to do.
  bool empty() const;
  /// Clears the job and keeps its memory.
  void reset();
};

/// What came of a job, or of building an engine.
struct LifeFrameResult {
  bool from_build = false;  ///< came of build()
  bool built = false;       ///< another engine runs now
  bool new_field = false;   ///< of another fractal or level: it began with the random start
  bool cancelled = false;   ///< all that was whole before stays; of several generations, those that were done
  bool in_background = false;  ///< done in the background, not within a frame
  bool is_pipelined = false;  ///< started by a device in the previous frame
  bool worked = false;        ///< the requested changes were completed
  std::string problem = {};   ///< why it could not be done, or not all of it; the cells are whole
  FrameReport frame = {};
  bool resolved = false;  ///< frame.image is the job's viewport
  std::optional<CountedCensus> census = {};
  double census_ms = 0;
  std::optional<ThreadCount> threads = {};
  std::optional<Timeline> timeline = {};
  std::string timeline_problem = {};  ///< why there is none, where one was to be recorded
  std::optional<DeviceRecord> devices = {};

  // The completed changes of the job, for undo.
  std::shared_ptr<const StateRestore> restore = {};
  std::optional<RandomStart> restart = {};
  bool clear = false;
  std::vector<CellEdit> edits = {};
  std::vector<CellEdit> before = {};  ///< the states of the same cells before
  const char* edit_label = nullptr;   ///< LifeCommands::edit_label
  Work work = {};                     ///< of frame.step
  std::optional<StateId> target_state = {};
  std::uint64_t action = 0;
  std::vector<CellSnapshot> snapshots = {};                             ///< on the way of a replay
  std::shared_ptr<const CellBits> cells = {};                           ///< of take_cells
  std::shared_ptr<const std::vector<std::uint8_t>> queried_cells = {};  ///< of look, 1 for a living one
  std::shared_ptr<const CellBits> previous_cells =
      {};  ///< of save_before, or the old engine's of another field
};

/// The smallest field of a fractal under the same map: the placeholder while an engine is being built.
FractalConfig single_cell(FractalConfig config);

/// Owns the engine of a pane and replaces it on request. Jobs of a few milliseconds run within the frame,
/// longer ones on a background thread while the window shows the previous state. All calls must come from the
/// window thread.
class AsyncEngine {
 public:
  /// Builds the engine and its random start. A long build continues in the background, with a field of level
  /// 0 as placeholder. Throws InputError, CapacityError, MachineError.
  AsyncEngine(const FractalConfig& config, const BackendSelection& backend, const RandomStart& start);

  /// The engine that runs; only while not busy(). Waits for what a device does ahead of the frames, so that
  /// generation() is this engine's from here on.
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
  /// Whether devices work, so that the next frame's work can be given to them while the window's thread goes
  /// on.
  bool can_pipeline() const { return backend_.kind == BackendKind::kCuda && !in_background_; }
  Progress progress() const;
  /// Requests cancellation; it arrives as a cancelled LifeFrameResult.
  void cancel() { worker_.watch().cancel(); }

  /// Builds another engine. For the same fractal and level the cells are carried over, otherwise it begins
  /// with `start`. The old engine stays until the new one is complete. `save_before` copies the cells of an
  /// old engine of another field to the host. Returns the result, or nothing if the build continues in the
  /// background. Throws DeviceFault.
  std::optional<LifeFrameResult> build(const FractalConfig& config, const BackendSelection& backend,
                                       const RandomStart& start, bool save_before = false);
  /// Another engine with the cells and the generation of `source`, which is of its fractal and level and must
  /// not be used by anybody until this has ended. Otherwise as build().
  std::optional<LifeFrameResult> copy(const FractalConfig& config, const BackendSelection& backend,
                                      const FractalEngine& source);
  /// Starts the work of a frame. `job` may be reused immediately. Work on the CPU is complete when this
  /// returns; work on a device continues, and finish() waits for it. Throws DeviceFault.
  struct BeginOptions {
    bool is_pipelined = false;           ///< the work is the next frame's, which will take it
    const AsyncEngine* after = nullptr;  ///< whose work was begun before, so that they take turns
  };
  void begin(const LifeFrameRequest& request, const BeginOptions& turn);
  void begin(const LifeFrameRequest& request) { begin(request, BeginOptions{}); }
  /// The result of the started work: immediately for the CPU, after the device for a device, and for
  /// background work only if it ends within `most`. Nothing if no work was started. Throws DeviceFault.
  std::optional<LifeFrameResult> finish(std::chrono::duration<double, std::milli> most);

 private:
  /// Where the work that was begun is: nowhere, done (its end not taken yet), on a device, on the worker.
  enum class WorkState { kNothing, kFinished, kOnDevice, kOnWorker };

  std::optional<LifeFrameResult> start_build();
  LifeFrameResult take();
  void build_engine(ProgressMonitor& watch);
  void run_request(ProgressMonitor& watch);
  /// Steps of run_here().
  void restore(ProgressMonitor* watch);
  void apply_restore(const StateRestore& way, ProgressMonitor* watch);
  void run_query();
  std::vector<std::uint8_t> states_of(std::span<const Coord64> cells);
  std::shared_ptr<const CellBits> read_cells() const;
  void begin_work(const FractalEngine* after);
  void begin_frame(const FractalEngine* after, ProgressMonitor* watch);
  void end_frame();
  /// Waits for the device, where the work is there.
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
  double step_ms_ = 0;     ///< of a generation, when it was last done
  double resolve_ms_ = 0;  ///< of the last image
  double census_ms_ = 0;
  const char* activity_ = "";  ///< "building", and so on

  // Belongs to the work under way while there is one.
  std::unique_ptr<FractalEngine> engine_;
  std::unique_ptr<FractalEngine> next_;
  FractalConfig requested_config_;
  bool save_before_ = false;
  BackendSelection requested_backend_;
  RandomStart start_;
  const FractalEngine* source_ =
      nullptr;  ///< of the cells of the engine that is built, where it is another's
  LifeFrameRequest request_;
  LifeFrameResult done_;

  Worker worker_;  ///< declared last: it ends before the members that it uses are destroyed
};

}  // namespace loom::app
