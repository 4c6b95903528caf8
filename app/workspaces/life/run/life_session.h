#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "app/shell/workspace.h"
#include "app/workspaces/life/panes/pane.h"
#include "app/workspaces/life/panes/saved_field.h"
#include "app/workspaces/life/panes/secondary_panes.h"
#include "app/workspaces/life/run/edit_history.h"
#include "app/workspaces/life/scene/cell_ages.h"
#include "app/workspaces/life/scene/cell_states.h"
#include "app/workspaces/life/scene/census_schedule.h"
#include "app/workspaces/life/scene/cycle_detector.h"
#include "app/workspaces/life/scene/map_measurement.h"

namespace loom::app {

/// What a frame knows that its work depends on.
struct LifeFrameInput {
  std::optional<Coord64> hovered_cell;  ///< the cell under the cursor
  bool paused_by_bench = false;         ///< a sweep has the machine to itself
  bool paused_by_edit = false;          ///< cells are looked at to be changed: no generation comes between
};

/// Runs the engines of the Life workspace: takes requests, gives jobs to the active and the secondary panes,
/// and takes their results. Changes `settings` only where a request could not be fulfilled.
class LifeSession {
 public:
  /// All must outlive it. Throws as AsyncEngine does.
  LifeSession(LifeSettings& settings, Message& message, const ShellServices& services);

  std::unique_ptr<Pane> pane;  ///< the scene's
  CellStates states;           ///< before the panes, which look at them
  SecondaryPanes secondary_panes;
  CensusSchedule census_schedule;
  CycleDetector cycle_detector;  ///< how the cells went on
  CellAges ages;                 ///< of each cell, where they are shown
  MapMeasurement maps;
  EditHistory history;

  /// Changes from now on belong to this user action; `tell` receives what can be undone of it.
  using UndoCallback = std::function<void(const EditHistory::UndoableEdit&, std::uint64_t action)>;
  void set_undo_callback(UndoCallback tell) { undo_callback_ = std::move(tell); }
  void set_action(std::uint64_t action) { action_ = action; }
  /// Requests a copy of the cells in the background; take_cells() returns it once.
  void request_cells() { cells_requested_ = true; }
  bool cells_requested() const { return cells_requested_; }
  /// Continues the copy while no frame of the workspace is drawn.
  void advance_hidden();
  std::optional<FieldCells> take_cells() { return std::exchange(copied_cells_, std::nullopt); }

  /// What LifeCommands::look asked for, once; null states where it was ended early.
  std::optional<std::shared_ptr<const std::vector<std::uint8_t>>> take_queried_cells() {
    return std::exchange(queried_cells_, std::nullopt);
  }

  /// Whether the shell's choice of a backend could not be taken; asked for once.
  bool take_backend_refused() { return std::exchange(backend_refused_, false); }
  /// Applies the settings. `clear_step_times` discards the step times.
  void apply(const LifeCommands& commands, const render::Palette& palette, bool clear_step_times);
  /// A frame's work. `at_rest` is called where no engine works, before the next job begins.
  void compute(const LifeFrameInput& frame, FrameClock& clock, const std::function<void()>& at_rest);
  /// New pictures into their textures. Before anything is drawn: a transfer through interop waits for what
  /// OpenGL was asked for until then.
  void transfer(FrameClock& clock);
  /// Begins the next job before the next frame, where that can be.
  void begin_next(FrameClock& clock);
  void cancel();
  void finish();

  bool is_idle() const { return !pane->async_engine.busy() && !secondary_panes.busy(); }
  /// The current timing conditions. The reference is overwritten by the next call.
  const TimingConditions& conditions() const;

 private:
  struct Target {
    FractalConfig config;
    BackendSelection backend;
  };
  bool is_paused() const;
  bool slow_motion_tick();
  double step_ms() const;
  void record_history(const LifeFrameResult& done);
  void request(const FractalConfig& config);
  const BackendSelection& requested_backend();
  void revert_request(Message why);
  void collect(const LifeCommands& commands);
  void take(const LifeFrameResult& done, FrameClock& clock);
  void reset_field_state();
  /// The kind of job: generations and image, the same for the next frame (ahead), or only an image of another
  /// view.
  enum class FrameKind { kFull, kPipelined, kViewOnly };
  void start_frame(FrameKind kind, FrameClock& clock);
  void put_back();
  void read_states();

  LifeSettings& settings_;
  Message& message_;
  const ShellServices& services_;
  LifeFrameInput frame_;
  BackendSelection requested_backend_;          ///< the shell's, with as many devices as the settings say
  Target target_;                               ///< what runs, or is to run
  bool build_is_pending_ = false;               ///< the target is not being built yet
  bool backend_refused_ = false;                ///< the shell's choice could not be taken
  LifeFrameRequest request_;                    ///< what has come together for the next one
  std::shared_ptr<const SavedField> put_back_;  ///< once the engine that they go into runs
  std::uint64_t put_back_action_ = 0;
  bool pipelined_ = false;  ///< a device computes for the next frame
  std::uint64_t action_ = 0;
  std::uint64_t build_action_ = 0;  ///< that asked for the engine that is built
  UndoCallback undo_callback_;
  bool cells_requested_ = false;
  bool copies_for_history_ = false;  ///< the job under way copies them for going back alone
  std::optional<FieldCells> copied_cells_;
  bool queries_cells_ = false;  ///< the job under way answers for cells
  std::optional<std::shared_ptr<const std::vector<std::uint8_t>>> queried_cells_;
  std::chrono::steady_clock::time_point
      last_tick_;            ///< in slow motion: when the last generation was asked for
  std::uint32_t steps_ = 0;  ///< generations asked for one by one
  std::optional<Coord64> probed_cell_;
  mutable std::optional<TimingConditions> conditions_;  ///< the current conditions, cached
};

}  // namespace loom::app
