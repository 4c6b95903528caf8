#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/plot/window/save_figure.h"
#include "app/shell/undo_history.h"
#include "app/shell/workspace.h"
#include "app/widgets/picture.h"
#include "app/workspaces/life/code/map_code_panel.h"
#include "app/workspaces/life/document/life_state.h"
#include "app/workspaces/life/draw/fractal_editor.h"
#include "app/workspaces/life/edit/cell_editor.h"
#include "app/workspaces/life/edit/pattern_commands.h"
#include "app/workspaces/life/life_keys.h"
#include "app/workspaces/life/panels/basics_panel.h"
#include "app/workspaces/life/panels/life_toolbar.h"
#include "app/workspaces/life/panels/method_panel.h"
#include "app/workspaces/life/panels/panes_panel.h"
#include "app/workspaces/life/panels/scoreboard.h"
#include "app/workspaces/life/panels/thread_panel.h"
#include "app/workspaces/life/panels/view_panel.h"
#include "app/workspaces/life/picture/thread_path.h"
#include "app/workspaces/life/run/life_session.h"
#include "app/workspaces/life/scene/life_stats.h"
#include "app/workspaces/life/scene/thread_explanation.h"

namespace loom::app {

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
  std::optional<PointInfo> hovered_;              ///< in any pane
  PictureCursor cursor_;                          ///< for the keyboard, at a cell
  bool clicked_ = false;                          ///< on a picture, without a drag
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
