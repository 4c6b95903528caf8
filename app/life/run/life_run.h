#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "app/life/panes/pane.h"
#include "app/life/panes/panes_beside.h"
#include "app/life/panes/saved_field.h"
#include "app/life/run/cell_past.h"
#include "app/life/scene/cell_ages.h"
#include "app/life/scene/cell_states.h"
#include "app/life/scene/life_course.h"
#include "app/life/scene/map_measurement.h"
#include "app/life/scene/population.h"
#include "app/shell/workspace.h"

namespace loom::app {

/// What a frame knows that its work depends on.
struct LifeFrame {
  std::optional<Coord64> under;  ///< the cell under the cursor
  bool bench_holds = false;      ///< a sweep has the machine to itself
  bool edit_holds = false;       ///< cells are looked at to be changed: no generation comes between
};

/// Runs the engines of the Life workspace: takes requests, gives jobs to the active and the secondary panes,
/// and takes their results. Changes `settings` only where a request could not be fulfilled.
class LifeRun {
 public:
  /// All must outlive it. Throws as EngineHost does.
  LifeRun(LifeSettings& settings, Message& message, const ShellServices& services);

  std::unique_ptr<Pane> pane;  ///< the scene's
  CellStates states;           ///< before the panes, which look at them
  PanesBeside beside;
  Population population;
  LifeCourse course;  ///< how the cells went on
  CellAges ages;      ///< of each cell, where they are shown
  MapMeasurement maps;
  CellPast past;

  /// Changes from now on belong to this user action; `tell` receives what can be undone of it.
  using Tell = std::function<void(const CellPast::Undoable&, std::uint64_t action)>;
  void tell_undoable(Tell tell) { tell_ = std::move(tell); }
  void set_action(std::uint64_t action) { action_ = action; }
  /// Requests a copy of the cells in the background; take_cells() returns it once.
  void want_cells() { wants_cells_ = true; }
  bool wants_cells() const { return wants_cells_; }
  /// Continues the copy while no frame of the workspace is drawn.
  void advance_hidden();
  std::optional<FieldCells> take_cells() { return std::exchange(taken_cells_, std::nullopt); }

  /// What LifeCommands::look asked for, once; null states where it was ended early.
  std::optional<std::shared_ptr<const std::vector<std::uint8_t>>> take_looked() {
    return std::exchange(looked_, std::nullopt);
  }

  /// Whether the shell's choice of a backend could not be taken; asked for once.
  bool take_refusal() { return std::exchange(backend_refused_, false); }
  /// Applies the settings. `forget_steps` discards the step times.
  void apply(const LifeCommands& commands, const render::Palette& palette, bool forget_steps);
  /// A frame's work. `at_rest` is called where no engine works, before the next job begins.
  void compute(const LifeFrame& frame, FrameClock& clock, const std::function<void()>& at_rest);
  /// New pictures into their textures. Before anything is drawn: a transfer through interop waits for what
  /// OpenGL was asked for until then.
  void transfer(FrameClock& clock);
  /// Begins the next job before the next frame, where that can be.
  void begin_next(FrameClock& clock);
  void cancel();
  void finish();

  bool rests() const { return !pane->host.busy() && !beside.busy(); }
  /// The current timing conditions. The reference is overwritten by the next call.
  const TimingConditions& conditions() const;

 private:
  struct Target {
    FractalConfig config;
    BackendSelection backend;
  };
  bool held() const;
  bool beat();
  double step_ms() const;
  void follow_past(const LifeDone& done);
  void want(const FractalConfig& config);
  const BackendSelection& wanted_backend();
  void take_back_wish(Message why);
  void collect(const LifeCommands& commands);
  void take(const LifeDone& done, FrameClock& clock);
  void forget_field();
  /// The kind of job: generations and image, the same for the next frame (ahead), or only an image of another
  /// view.
  enum class JobKind { kWhole, kAhead, kView };
  void start_job(JobKind kind, FrameClock& clock);
  void put_back();
  void read_states();

  LifeSettings& settings_;
  Message& message_;
  const ShellServices& services_;
  LifeFrame frame_;
  BackendSelection wanted_backend_;             ///< the shell's, with as many devices as the settings say
  Target target_;                               ///< what runs, or is to run
  bool build_pending_ = false;                  ///< the target is not being built yet
  bool backend_refused_ = false;                ///< the shell's choice could not be taken
  LifeJob job_;                                 ///< what has come together for the next one
  std::shared_ptr<const SavedField> put_back_;  ///< once the engine that they go into runs
  std::uint64_t put_back_action_ = 0;
  bool ahead_ = false;  ///< a device computes for the next frame
  std::uint64_t action_ = 0;
  std::uint64_t build_action_ = 0;  ///< that asked for the engine that is built
  Tell tell_;
  bool wants_cells_ = false;
  bool keeps_cells_ = false;  ///< the job under way copies them for going back alone
  std::optional<FieldCells> taken_cells_;
  bool looks_ = false;  ///< the job under way answers for cells
  std::optional<std::shared_ptr<const std::vector<std::uint8_t>>> looked_;
  std::chrono::steady_clock::time_point beat_;  ///< in slow motion: when the last generation was asked for
  std::uint32_t steps_ = 0;                     ///< generations asked for one by one
  std::optional<Coord64> probed_cell_;
  mutable std::optional<TimingConditions> conditions_;  ///< the current conditions, cached
};

}  // namespace loom::app
