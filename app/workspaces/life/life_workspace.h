#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/plot/window/save_figure.h"
#include "app/shell/undo_history.h"
#include "app/shell/workspace.h"
#include "app/widgets/picture.h"
#include "app/workspaces/life/code/map_code_panel.h"
#include "app/workspaces/life/document/life_state.h"
#include "app/workspaces/life/draw/fractal_editor.h"
#include "app/workspaces/life/edit/cell_editor.h"
#include "app/workspaces/life/panels/life_panels.h"
#include "app/workspaces/life/panes/panes.h"
#include "app/workspaces/life/picture/life_picture.h"
#include "app/workspaces/life/scene/cell_source.h"
#include "app/workspaces/life/scene/cell_statistics.h"
#include "app/workspaces/life/scene/life_stats.h"

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
  /// Ends the active pane's work at once, so that its cells can be read; generations that are left are not
  /// computed.
  void interrupt();
  /// Cells that were selected but are not made yet, with their bits if these are known; nothing for those of
  /// the history.
  std::optional<CellSnapshot> pending_cells() const;
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
  /// Takes the results of the panes that have ended, waiting at most `timeout` for the active one, and for
  /// the others without a timeout.
  void finish(TaskTimeout timeout, FrameClock& clock);
  void take(const LifeFrameOutcome& done, FrameClock& clock);
  void take_build(const LifeFrameOutcome& done);
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
  std::optional<std::uint64_t> first_action_;   ///< of the first frame, whose changes are not the user's
  std::uint64_t field_action_ = 0;              ///< the user action that selected the field
  bool cells_requested_ = false;
  std::optional<CellSource> copied_cells_;
  std::optional<std::shared_ptr<const std::vector<std::uint8_t>>> queried_cells_;
  /// Slow motion: the time of the last generation.
  std::chrono::steady_clock::time_point last_tick_;
  std::uint32_t steps_ = 0;  ///< single generations that were requested
  std::optional<Coord64> probed_cell_;
  mutable std::optional<TimingConditions> conditions_;  ///< the current conditions, cached
};

/// The game of life, single writes and reductions on NBB fractals.
class LifeWorkspace final : public Workspace {
 public:
  /// `services` must outlive it. Throws as first_engine() does.
  LifeWorkspace(LifeSettings settings, const ShellServices& services);

  CommandSource commands() override;
  void begin(ShellEdit& shell) override;
  PanelNeeds panel_needs() const override;
  void toolbar_group(std::size_t group, bool brief) override;
  void controls() override;
  void dock(const DockSpace& room) override;
  Area panels(const Layout& layout) override;
  void update(const Area& picture, float scale) override;
  void compute(FrameClock& clock) override;
  void show(FrameClock& clock, ImDrawList& overlays) override;
  void begin_next(FrameClock& clock) override { run_.begin_next(clock); }
  WorkspaceStatus status() const override;
  void cancel() override;
  void finish() override { run_.finish(); }
  void add_state(nlohmann::ordered_json& json) override;

  /// Applies a change in the next frame, as if the user had made it. Ends "Show me", which would cover it.
  void request(std::function<void(LifeEdit&)> change) {
    show_me_.close();
    edits_.request(std::move(change));
  }

  // A restored state that is not shown yet is the current one.
  /// The complete state of more than kMaxCellsSaved cells has those known without the engine: a snapshot, or
  /// the start.
  scene::StatePtr state(StateNeed need) override;
  void request_data() override;
  StateCopy with_data(scene::StatePtr described, bool is_hidden) override;
  void restore(scene::StatePtr state) override {
    show_me_.close();
    edits_.restore(std::move(state));
  }
  static constexpr std::uint64_t kMaxCellsSaved = std::uint64_t{1} << 27;

  Place place() const override;
  void go_to_place(const scene::Json& place) override;
  std::string go_to_coordinates(const std::string& text) override;
  /// Patterns, which are read in the background and then placed by the user, and fractals, which start at
  /// their default level with the rule of their file.
  bool open_file(const std::filesystem::path& file, FileKind kind) override;

  /// The visible part of the active pane.
  std::optional<render::Camera::View> view() const { return view_of(run_.pane->camera); }
  /// The part of the field in the picture, in points.
  render::Rect<double> part() const { return run_.pane->camera.visible_part(); }
  const CellSource& cells() const { return run_.history.now(); }

  /// The fractal that is not in the catalogue; null if there is none.
  const NbbFractal* custom_fractal() const { return custom_fractal_ ? &*custom_fractal_ : nullptr; }
  const LifeSettings& settings() const { return settings_; }
  const AsyncEngine<LifeEngine>& async_engine() const { return run_.pane->async_engine; }

 private:
  bool press(const KeyPress& press);
  void check_config();
  /// Validates and applies the edited settings.
  void apply();
  void overlays(ImDrawList& list);
  bool covers_controls() const { return show_me_.is_open() || settings_.show_code; }
  bool is_animating() const;
  /// The tile of the pinned thread on the screen; empty without one.
  Area marked_area() const;
  std::shared_ptr<LifeState> described() const;
  void record_settings(const LifeSettings& before, const LifeSettings& after);
  /// Records the code of the custom map, which changes after a pause in typing.
  void record_code(const LifeSettings& before, const LifeSettings& after);
  void record_view(const std::optional<render::Camera::View>& before,
                   const std::optional<render::Camera::View>& after);
  void keep_custom_fractal();
  void follow_exercise();
  LifeStats stats() const;
  void choose_devices();
  explain::Colouring colouring() const;
  void check_colouring();
  std::string_view tiles_hidden_reason() const;
  bool ages_shown() const;
  std::string_view ages_hidden_reason() const;
  bool nothing_in_view() const;
  /// Whether "Show me" or the custom map is in place of the panes. Secondary panes stay beside the custom
  /// map.
  bool covers_panes() const {
    return show_me_.is_open() || (settings_.show_code && run_.secondary_panes.all().empty());
  }
  LifeFrameInput frame() const;
  void select();
  void pin_cursor();
  void move_cursor();
  void hover_cursor();
  std::optional<Coord64> compared_cell() const;
  void draw_thread_path(ImDrawList& list) const;
  explain::MapStepTimes step_times() const;
  void figure_dialog();
  void draw_dialog();
  static void use(const FractalFile& file, LifeEdit& edit);
  CellSource known_cells() const;
  void write_figure();

  Shortcuts<LifeEdit> keys_;
  LifeSettings settings_;
  std::optional<LifeEdit> edit_;
  EditQueue<LifeEdit, LifeState> edits_;
  bool first_frame_ = true;                   ///< its changes are not user actions
  std::optional<NbbFractal> custom_fractal_;  ///< a fractal that is not in the catalogue
  LifeSession run_;
  std::shared_ptr<const LifeState> before_exercise_;  ///< the scene that it gives back

  ThreadExplanation explanation_;
  std::optional<PointInfo> hovered_;  ///< in any pane
  PictureCursor cursor_;              ///< for the keyboard, at a cell
  bool clicked_ = false;              ///< on a picture, without a drag
  bool pressed_ = false;              ///< the left button went down over the picture, in this workspace
  std::optional<explain::CellRect> highlighted_;  ///< the level of lambda under the cursor, in the dock
  std::optional<LifeStats> stats_;                ///< for the panels of this frame
  std::vector<PaneArea> places_;                  ///< of the panes, the active one first

  CellEditor editor_;
  PatternCommands pattern_commands_;
  EditBarAreas edit_bar_;

  LifeToolbarState toolbar_;
  BasicsPanelState basics_panel_;
  MethodPanelState method_panel_;
  ViewPanelState view_panel_;
  ThreadPanelState thread_panel_;
  DevicesPanelState devices_panel_;
  EnergyPanelState energy_;
  std::size_t known_devices_ = 0;  ///< number of devices at the last check of the settings
  PaneHeaderState pane_headers_;
  MemoryStrips strips_;
  PictureLegend legend_;
  Text caption_;  ///< the line below the picture
  MapMorph map_morph_;
  ThreadPath thread_path_;
  ShowMePanel show_me_;
  MapCodePanel code_;
  FractalEditor draw_;
  SaveFigure save_figure_;
  std::optional<SaveFigure::Request> figure_request_;  ///< waits until the engines are idle
};

}  // namespace loom::app
