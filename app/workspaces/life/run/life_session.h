#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "app/shell/workspace.h"
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
  bool paused_by_bench = false;         ///< a sweep or a race uses the machine alone
  bool paused_by_show_me = false;       ///< the animation of the maps covers the scene
  bool paused_by_edit = false;          ///< an edit reads cells and then changes them: no generation between
};

/// Runs the engines of the Life workspace: collects requests, passes them to the active and the secondary
/// panes, and takes their results.
class LifeSession {
 public:
  /// The configuration that runs.
  struct Applied {
    FractalConfig config;
    std::uint32_t devices = 1;
  };
  struct UndoRecord {
    EditHistory::UndoableEdit edit;
    std::uint64_t action = 0;  ///< the user action that it belongs to
  };
  /// What the owner of the settings applies after a call.
  struct Outcome {
    std::optional<Applied> applied = {};  ///< if it has changed, or another one could not be built
    bool backend_refused = false;         ///< the shell's backend could not be used
    bool paused = false;                  ///< the user has cancelled generations
    Message message = {};
    std::vector<UndoRecord> undo = {};
  };

  /// `services` must outlive it. Throws as first_engine() does.
  LifeSession(const LifeSettings& settings, const ShellServices& services);

  std::unique_ptr<Pane> pane;  ///< the active pane
  CellStates states;           ///< declared before secondary_panes, which refer to it
  SecondaryPanes secondary_panes;
  CensusSchedule census_schedule;
  CycleDetector cycle_detector;
  CellAges ages;  ///< updated only while they are shown
  MapMeasurement maps;
  EditHistory history;

  /// Begins a frame: assigns the following changes to this user action.
  void begin(std::uint64_t action);
  /// Requests a copy of the cells in the background; take_cells() returns it once.
  void request_cells() { cells_requested_ = true; }
  bool cells_requested() const { return cells_requested_; }
  /// Continues the copy while no frame of the workspace is drawn.
  [[nodiscard]] Outcome advance_hidden();
  std::optional<FieldCells> take_cells() { return std::exchange(copied_cells_, std::nullopt); }

  /// The result of LifeCommands::cells_to_query, once; null if it was cancelled.
  std::optional<std::shared_ptr<const std::vector<std::uint8_t>>> take_queried_cells() {
    return std::exchange(queried_cells_, std::nullopt);
  }

  /// Applies the settings, which hold until the next call. `clear_step_times` discards the step times.
  [[nodiscard]] Outcome apply(const LifeSettings& settings, const LifeCommands& commands,
                              const render::Palette& palette, bool clear_step_times);
  /// Executes a frame's work. Calls `at_rest` while no engine works, before the next request begins.
  [[nodiscard]] Outcome compute(const LifeFrameInput& frame, FrameClock& clock,
                                const std::function<void()>& at_rest);
  /// Copies new images into their textures. Call it before drawing: a transfer through interop waits for all
  /// earlier OpenGL commands.
  void transfer(FrameClock& clock);
  /// Begins the next request before the next frame, if possible.
  [[nodiscard]] Outcome begin_next(FrameClock& clock);
  void cancel();
  [[nodiscard]] Outcome finish();

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
  void record_history(const LifeFrameOutcome& done);
  void request(const FractalConfig& config);
  const BackendSelection& requested_backend();
  void revert_request(Message why);
  void collect(const LifeCommands& commands);
  void take(const LifeFrameOutcome& done, FrameClock& clock);
  void take_build(const LifeFrameOutcome& done, FrameClock& clock);
  void reset_field_state();
  /// Kind of request: generations and image; the same, ahead for the next frame; or only an image of another
  /// view.
  enum class FrameKind { kFull, kPipelined, kViewOnly };
  void start_frame(FrameKind kind, FrameClock& clock);
  void put_back();
  void read_states();
  void report_applied();
  Outcome take_outcome() { return std::exchange(outcome_, {}); }

  LifeSettings settings_;  ///< of the last apply()
  Outcome outcome_;        ///< collects that of the current call
  const ShellServices& services_;
  LifeFrameInput frame_;
  BackendSelection requested_backend_;  ///< the shell's backend with the number of devices of the settings
  Target target_;                       ///< the configuration that runs or will run
  bool build_is_pending_ = false;       ///< the build of the target has not begun
  bool backend_refused_ = false;        ///< in this frame; the shell does not know it yet
  LifeFrameRequest request_;            ///< collects the next request
  std::shared_ptr<const SavedField> put_back_;  ///< restored once an engine of its field runs
  std::uint64_t put_back_action_ = 0;
  bool pipelined_ = false;  ///< a device computes for the next frame
  std::uint64_t action_ = 0;
  std::uint64_t build_action_ = 0;  ///< the user action that requested the build
  bool cells_requested_ = false;
  bool copies_for_history_ = false;  ///< the running request copies cells only for the history
  std::optional<FieldCells> copied_cells_;
  bool queries_cells_ = false;  ///< the running request reads cell states
  std::optional<std::shared_ptr<const std::vector<std::uint8_t>>> queried_cells_;
  /// Slow motion: the time of the last generation.
  std::chrono::steady_clock::time_point last_tick_;
  std::uint32_t steps_ = 0;  ///< single generations that were requested
  std::optional<Coord64> probed_cell_;
  mutable std::optional<TimingConditions> conditions_;  ///< the current conditions, cached
};

}  // namespace loom::app
