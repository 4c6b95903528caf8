#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "app/shell/undo_history.h"
#include "app/shell/workspace.h"
#include "app/workspaces/life/document/life_state.h"
#include "app/workspaces/life/panes/pane.h"
#include "app/workspaces/life/panes/secondary_panes.h"
#include "app/workspaces/life/run/edit_history.h"
#include "app/workspaces/life/scene/cell_ages.h"
#include "app/workspaces/life/scene/cycle_detector.h"
#include "app/workspaces/life/scene/map_times.h"

namespace loom::app {

/// Input of a frame.
struct LifeFrameInput {
  std::optional<Coord64> hovered_cell;  ///< the cell under the cursor
  bool paused = false;                  ///< a race uses the machine alone, or something covers the scene
  bool paused_by_edit = false;          ///< an edit reads cells and then changes them: no generation between
};

/// Runs the engines of the Life workspace: finds out what must be computed for the settings, collects
/// commands, passes both to the active and the secondary panes, and takes their results. It changes no
/// setting: where the selected configuration cannot run, the previous one goes on.
class LifeSession {
 public:
  using Edits = EditQueue<LifeEdit, LifeState>;

  /// All of them must outlive it: the settings to compute for; `edits` gets the undo steps, `message` what
  /// the user is told. Throws as first_engine() does.
  LifeSession(const LifeSettings& settings, Edits& edits, Message& message, const ShellServices& services);

  std::unique_ptr<Pane> pane;  ///< the active pane
  CellStates states;           ///< declared before secondary_panes, which refer to it
  SecondaryPanes secondary_panes;
  CensusSchedule census_schedule;
  CycleDetector cycle_detector;
  CellAges ages;  ///< updated only while they are shown
  MapMeasurement maps;
  EditHistory history;

  /// Calls `use` with each pane that has an engine, the active one first.
  template <typename Use>
  void for_each_pane(const Use& use) {
    use(*pane);
    for (SecondaryPanes::SecondaryPane& one : secondary_panes.all()) {
      if (one.pane) use(*one.pane);
    }
  }

  /// Requests a copy of the cells in the background; take_cells() returns it once.
  void request_cells() { cells_requested_ = true; }
  bool cells_requested() const { return cells_requested_; }
  /// Continues the copy while no frame of the workspace is drawn.
  void advance_hidden();
  std::optional<CellSource> take_cells() { return std::exchange(copied_cells_, std::nullopt); }

  /// The result of LifeCommands::cells_to_query, once; null if it was cancelled.
  std::optional<std::shared_ptr<const std::vector<std::uint8_t>>> take_queried_cells() {
    return std::exchange(queried_cells_, std::nullopt);
  }

  /// Takes the commands of a frame, and its palette. `clear_step_times` discards the step times.
  void apply(const LifeCommands& commands, const render::Palette& palette, bool clear_step_times);
  /// Executes a frame's work. Calls `at_rest` while no engine works, before the next request begins.
  void compute(const LifeFrameInput& frame, FrameClock& clock, const std::function<void()>& at_rest);
  /// Copies new images into their textures. Call it before drawing: a transfer through interop waits for all
  /// earlier OpenGL commands.
  void transfer(FrameClock& clock) {
    for_each_pane([&](Pane& one) { one.transfer(clock); });
  }
  /// Begins the next request before the next frame, if possible.
  void begin_next(FrameClock& clock);
  /// Returns whether it cancels work on the active pane's cells, after which they no longer change.
  bool cancel();
  void finish();

  /// Why the selected configuration does not run; empty if it does or may.
  std::string_view problem() const { return pane->problem_of(settings_.config, requested_backend_); }
  bool is_idle() const { return !pane->async_engine.busy() && !secondary_panes.busy(); }
  /// The current timing conditions. The reference is overwritten by the next call.
  const TimingConditions& conditions() const;

 private:
  /// Cells that the user selects; they are made once their field runs.
  struct SelectedCells {
    RecordedCells to;
    bool is_recorded = false;  ///< by the history: undo, redo, a generation back
    const char* what = nullptr;
    std::uint64_t action = 0;
    std::shared_ptr<const LifeState> state = {};  ///< whose view is shown with them
  };
  void select(SelectedCells selected);
  bool is_paused() const;
  bool slow_motion_tick();
  double step_ms() const { return pane->generation_stats().median; }
  void record_history(const LifeFrameOutcome& done);
  void record_undo(const char* what, const RecordedCells& before, const CellSource& after,
                   std::uint64_t action);
  void update_backend();
  /// Whether the selected configuration is still to be built.
  bool needs_engine() const { return pane->needs_engine(settings_.config, requested_backend_); }
  void cancel_superseded();
  void build(FrameClock& clock);
  void collect(const LifeCommands& commands);
  void take(const LifeFrameOutcome* done, FrameClock& clock);
  void take_build(const LifeFrameOutcome& done, bool superseded, FrameClock& clock);
  /// Kind of request: generations and image; the same, ahead for the next frame; or only an image of another
  /// view.
  enum class FrameKind { kFull, kPipelined, kViewOnly };
  void start_frame(FrameKind kind, FrameClock& clock);
  void make_selected(LifeFrameRequest& request);
  void read_states();

  const LifeSettings& settings_;
  Edits& edits_;
  Message& message_;
  const ShellServices& services_;
  LifeFrameInput frame_;
  BackendSelection requested_backend_;  ///< the shell's backend with the number of devices of the settings
  LifeFrameRequest request_;            ///< collects the next request
  std::optional<SelectedCells> selected_;
  std::shared_ptr<const FractalConfig> field_;  ///< of the engine's cells
  bool single_write_ran_ = false;               ///< the cells were written by the workload single write
  bool cancelled_ = false;                      ///< by the user, while the active pane works
  bool pipelined_ = false;                      ///< a device computes for the next frame
  std::optional<std::uint64_t> first_action_;   ///< of the first frame, whose changes are not the user's
  std::uint64_t field_action_ = 0;              ///< the user action that selected the field
  bool cells_requested_ = false;
  bool copies_for_history_ = false;  ///< the running request copies cells only for the history
  std::optional<CellSource> copied_cells_;
  std::optional<std::shared_ptr<const std::vector<std::uint8_t>>> queried_cells_;
  /// Slow motion: the time of the last generation.
  std::chrono::steady_clock::time_point last_tick_;
  std::uint32_t steps_ = 0;  ///< single generations that were requested
  std::optional<Coord64> probed_cell_;
  mutable std::optional<TimingConditions> conditions_;  ///< the current conditions, cached
};

}  // namespace loom::app
