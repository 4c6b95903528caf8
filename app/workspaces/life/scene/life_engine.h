#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/tasks/task.h"
#include "app/workspaces/life/scene/cell_source.h"
#include "app/workspaces/life/scene/cell_statistics.h"
#include "compute/backend/engine_factory.h"
#include "compute/engine/timeline.h"

namespace loom::app {

/// The recorded activity of each device in one generation.
struct DeviceRecord {
  DeviceTimeline times;
  std::string problem;  ///< why nothing was recorded; empty on success
};

class LifeEngine;

/// Another engine to build. The old one stays until it is complete.
struct LifeBuild {
  FractalConfig config;
  BackendSelection backend = {};
  /// The engine whose cells, those of the request, are copied. It has the same fractal and level and must not
  /// be used until the request has ended.
  const FractalEngine* source = nullptr;
};

/// The work of an engine for one frame. It is executed in the order of the members, except where noted.
struct LifeFrameRequest {
  std::optional<LifeBuild> build = {};  ///< replaces all other work
  /// Cells to be made; unknown: those that the engine has. The cells of another field must be known. A
  /// cancellation leaves the previous ones in fields of at most kMaxRestorableCells cells, in others those
  /// that were reached.
  CellSource cells = {};
  CellSnapshot near = {};  ///< leads to them, if it has bits
  /// What the engine's cells are to their owner, if they were made as another engine's were; unknown: its
  /// own.
  CellSource same_cells = {};
  std::uint64_t keep = 0;  ///< number of last generations whose cells are stored while they are made
  std::vector<CellEdit> edits = {};
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
  bool begins_anew = false;           ///< these are then the origin, and what led to them is not known
  bool save_before = false;           ///< store the cells before others are made or built
  /// Cells whose states are read before all other work.
  std::shared_ptr<const std::vector<Coord64>> cells_to_query = {};
  const char* label = nullptr;  ///< undo name of the change of cells; null: painted cells
  bool is_recorded = false;     ///< the cells are those of the history, not new ones
  /// The user action that the changes belong to.
  std::uint64_t action = 0;
  bool is_pipelined = false;             ///< the work belongs to the next frame
  const FractalEngine* after = nullptr;  ///< FrameRequest::after; ignored in the background
  /// True if cells change, and not by generations alone.
  bool replaces_cells() const { return cells.is_known() || !edits.empty(); }
  /// True if cells change.
  bool changes() const { return replaces_cells() || generations > 0; }
  /// True if there is nothing to do.
  bool empty() const;
  /// Clears the request and keeps its memory.
  void reset();
};
/// The largest field whose cells are copied for that: half a gibibyte, which takes some seconds.
inline constexpr std::uint64_t kMaxRestorableCells = std::uint64_t{1} << 32;

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

  /// Of the request's edits, those of cells of the fractal; none if nothing changed.
  std::vector<CellEdit> edits = {};
  std::vector<CellEdit> before = {};           ///< the previous states of the same cells
  CellSource edited = {};                      ///< the cells before the generations
  std::vector<CellSnapshot> snapshots = {};    ///< stored before cells were made, and meanwhile
  std::shared_ptr<const CellBits> cells = {};  ///< result of take_cells
  std::shared_ptr<const std::vector<std::uint8_t>> queried_cells = {};  ///< of cells_to_query
};

using LifeFrameOutcome = EngineOutcome<LifeFrameRequest, LifeFrameResult>;

/// The smallest field of a fractal under the same map: the placeholder while an engine is being built.
FractalConfig single_cell(FractalConfig config);

/// Executes the frames of a FractalEngine, for AsyncEngine.
class LifeEngine {
 public:
  using Outcome = LifeFrameOutcome;

  /// Starts with the cells of `start`. `monitor` monitors the construction. Throws as make_fractal_engine()
  /// does.
  LifeEngine(const FractalConfig& config, const BackendSelection& backend,
             const RandomStart& start = {.density = 0}, ProgressMonitor* monitor = nullptr);

  // These may be called while a request runs.
  const FractalConfig& config() const { return engine_->config(); }
  const BackendSelection& backend() const { return backend_; }
  const std::string& backend_name() const;
  /// The generation and the cells after the last request that has ended.
  std::uint64_t generation() const { return generation_; }
  const CellSource& cells() const { return cells_; }
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
  void build(const LifeFrameRequest& request, LifeFrameResult& result);
  void begin_frame(const LifeFrameRequest& request, LifeFrameResult& result);
  void end_frame(const LifeFrameRequest& request, LifeFrameResult& result);
  void make(const LifeFrameRequest& request, LifeFrameResult& result);
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
  CellSource cells_;
  CellSource made_;  ///< those of the running request
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
