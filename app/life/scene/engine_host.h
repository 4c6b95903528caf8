#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/life/scene/device_record.h"
#include "app/life/scene/population.h"
#include "app/life/scene/replay.h"
#include "app/shell/worker.h"
#include "app/shell/workspace.h"
#include "compute/backend/engine_factory.h"

namespace loom::app {

/// What an engine is to do for one frame, in this order.
struct LifeJob {
  /// Recomputes a state. If cancelled, the previous cells are restored.
  std::shared_ptr<const Replay> replay;
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
  bool keep_before = false;      ///< and before replay, restart and clear
  std::shared_ptr<const std::vector<Coord64>> look = {};  ///< cells whose states are asked for, first of all
  const char* cells_are = nullptr;                        ///< LifeCommands::cells_are
  /// The state that the job restores, or nothing for new changes; and the user action that they belong to.
  std::optional<Moment> goes_to;
  std::uint64_t action = 0;
  /// Whether there is anything to do.
  bool empty() const;
  /// Clears the job and keeps its memory.
  void reset();
};

/// What came of a job, or of building an engine.
struct LifeDone {
  bool of_build = false;   ///< came of build()
  bool built = false;      ///< another engine runs now
  bool new_field = false;  ///< of another fractal or level: it began with the random start
  bool cancelled = false;  ///< all that was whole before stays; of several generations, those that were done
  bool beside = false;     ///< done in the background, not within a frame
  bool ahead = false;      ///< started by a device in the previous frame
  bool worked = false;     ///< the requested changes were completed
  std::string problem = {};  ///< why it could not be done, or not all of it; the cells are whole
  FrameReport frame = {};
  bool resolved = false;  ///< frame.image is the job's viewport
  std::optional<CountedCensus> census = {};
  double census_ms = 0;
  std::optional<ThreadCount> threads = {};
  std::optional<Timeline> timeline = {};
  std::string no_timeline = {};  ///< why there is none, where one was to be recorded
  std::optional<DeviceRecord> devices = {};

  // The completed changes of the job, for undo.
  std::shared_ptr<const Replay> replay = {};
  std::optional<RandomStart> restart = {};
  bool clear = false;
  std::vector<CellEdit> edits = {};
  std::vector<CellEdit> before = {};  ///< the states of the same cells before
  const char* cells_are = nullptr;    ///< LifeCommands::cells_are
  Work work = {};                     ///< of frame.step
  std::optional<Moment> goes_to = {};
  std::uint64_t action = 0;
  std::vector<KeptCells> kept = {};                              ///< on the way of a replay
  std::shared_ptr<const CellBits> cells = {};                    ///< of take_cells
  std::shared_ptr<const std::vector<std::uint8_t>> looked = {};  ///< of look, 1 for a living one
  std::shared_ptr<const CellBits> cells_before =
      {};  ///< of keep_before, or the old engine's of another field
};

/// The smallest field of a fractal under the same map: the placeholder while an engine is being built.
FractalConfig single_cell(FractalConfig config);

/// Owns the engine of a pane and replaces it on request. Jobs of a few milliseconds run within the frame,
/// longer ones on a background thread while the window shows the previous state. All calls must come from the
/// window thread.
class EngineHost {
 public:
  /// Builds the engine and its random start. A long build continues in the background, with a field of level
  /// 0 as placeholder. Throws InputError, CapacityError, MachineError.
  EngineHost(const FractalConfig& config, const BackendSelection& backend, const RandomStart& start);

  /// The engine that runs; only while not busy(). Waits for what a device does ahead of the frames, so that
  /// generation() is this engine's from here on.
  FractalEngine& engine() {
    end_here();
    return *engine_;
  }
  const FractalEngine& engine() const { return const_cast<EngineHost*>(this)->engine(); }

  /// Properties of that engine, available at any time.
  const FractalConfig& config() const { return config_; }
  const BackendSelection& backend() const { return backend_; }
  const std::string& backend_name() const;
  std::uint64_t generation() const { return generation_; }
  std::uint64_t cell_count() const { return cell_count_; }
  std::uint64_t bytes_held() const { return bytes_held_; }

  /// True while work runs in the background; no other work can be started then.
  bool busy() const { return worker_.busy(); }
  /// True if the work of frames runs in the background, judged by its last duration.
  bool works_beside() const { return beside_; }
  /// Whether devices work, so that the next frame's work can be given to them while the window's thread goes
  /// on.
  bool can_work_ahead() const { return backend_.kind == BackendKind::kCuda && !beside_; }
  Progress progress() const;
  /// Requests cancellation; it arrives as a cancelled LifeDone.
  void cancel() { worker_.watch().cancel(); }

  /// Builds another engine. For the same fractal and level the cells are carried over, otherwise it begins
  /// with `start`. The old engine stays until the new one is complete. `keep_before` copies the cells of an
  /// old engine of another field to the host. Returns the result, or nothing if the build continues in the
  /// background. Throws DeviceFault.
  std::optional<LifeDone> build(const FractalConfig& config, const BackendSelection& backend,
                                const RandomStart& start, bool keep_before = false);
  /// Another engine with the cells and the generation of `source`, which is of its fractal and level and must
  /// not be used by anybody until this has ended. Otherwise as build().
  std::optional<LifeDone> copy(const FractalConfig& config, const BackendSelection& backend,
                               const FractalEngine& source);
  /// Starts the work of a frame. `job` may be reused immediately. Work on the CPU is complete when this
  /// returns; work on a device continues, and finish() waits for it. Throws DeviceFault.
  struct Turn {
    bool ahead = false;                 ///< the work is the next frame's, which will take it
    const EngineHost* after = nullptr;  ///< whose work was begun before, so that they take turns
  };
  void begin(const LifeJob& job, const Turn& turn);
  void begin(const LifeJob& job) { begin(job, Turn{}); }
  /// The result of the started work: immediately for the CPU, after the device for a device, and for
  /// background work only if it ends within `most`. Nothing if no work was started. Throws DeviceFault.
  std::optional<LifeDone> finish(std::chrono::duration<double, std::milli> most);

 private:
  /// Where the work that was begun is: nowhere, done (its end not taken yet), on a device, on the worker.
  enum class Under { kNothing, kDone, kDevice, kWorker };

  std::optional<LifeDone> start_build();
  LifeDone take();
  void build_here(Watch& watch);
  void run_here(Watch& watch);
  /// Steps of run_here().
  void replay(Watch* watch);
  void redo(const Replay& way, Watch* watch);
  void look_before();
  std::vector<std::uint8_t> states_of(std::span<const Coord64> cells);
  std::shared_ptr<const CellBits> read_cells() const;
  void begin_work(const FractalEngine* after);
  void begin_frame(const FractalEngine* after, Watch* watch);
  void end_frame();
  /// Waits for the device, where the work is there.
  void end_here();
  template <typename Part>
  void guarded(const Part& part);
  void record();
  void record_devices();
  double expected_ms(const LifeJob& job) const;
  void learn();

  FractalConfig config_;
  BackendSelection backend_;
  mutable std::string backend_name_;
  mutable bool name_stays_ = true;
  std::uint64_t generation_ = 0;
  std::uint64_t cell_count_ = 0;
  std::uint64_t bytes_held_ = 0;
  bool beside_ = false;
  Under under_ = Under::kNothing;
  bool under_build_ = false;
  double step_ms_ = 0;     ///< of a generation, when it was last done
  double resolve_ms_ = 0;  ///< of the last image
  double census_ms_ = 0;
  const char* doing_ = "";  ///< "building", and so on

  // Belongs to the work under way while there is one.
  std::unique_ptr<FractalEngine> engine_;
  std::unique_ptr<FractalEngine> next_;
  FractalConfig wanted_;
  bool keep_before_ = false;
  BackendSelection wanted_backend_;
  RandomStart start_;
  const FractalEngine* source_ =
      nullptr;  ///< of the cells of the engine that is built, where it is another's
  LifeJob job_;
  LifeDone done_;

  Worker worker_;  ///< declared last: it ends before the members that it uses are destroyed
};

}  // namespace loom::app
