#pragma once

#include <imgui.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/shell/undo_history.h"
#include "app/shell/workspace.h"
#include "app/widgets/picture.h"
#include "app/widgets/windows.h"
#include "app/workspaces/life/panels/life_panels.h"
#include "app/workspaces/solid/document/solid_state.h"
#include "app/workspaces/solid/panels/solid_panels.h"
#include "app/workspaces/solid/panes/ray_pane.h"
#include "render/palette.h"
#include "render/renderers.h"

namespace loom::app {

/// Life on three-dimensional fractals.
class SolidWorkspace final : public Workspace {
 public:
  /// `services` must outlive the workspace.
  SolidWorkspace(const SolidSettings& settings, const ShellServices& services);

  CommandSource commands() override { return keys_.source(edit_ ? &*edit_ : nullptr); }
  void begin(ShellEdit& shell) override;
  PanelNeeds panel_needs() const override {
    return {.toolbar = solid_toolbar_groups(false),
            .brief_toolbar = solid_toolbar_groups(true),
            .metrics = true,
            .details = "Thread",
            .details_open = (edit_ ? edit_->settings : settings_).show_thread};
  }
  void toolbar_group(std::size_t group, bool brief) override {
    solid_toolbar_group(group, brief, toolbar_, *edit_);
  }
  void controls() override {
    solid_panel(panel_, *edit_, active().state(), active().problem_of(wanted_), camera_);
  }
  void dock(const DockSpace& room) override;
  Area panels(const Layout& layout) override;
  void update(const Area& picture, float scale) override;
  /// Validates and applies the edited settings.
  void apply();
  void compute(FrameClock& clock) override;
  void show(FrameClock& clock, ImDrawList& overlays) override;
  WorkspaceStatus status() const override;
  void cancel() override;
  void finish() override;
  void add_state(nlohmann::ordered_json& json) override;

  /// Applies a change in the next frame, as if the user had made it.
  void request(std::function<void(SolidSceneEdit&)> change) { edits_.request(std::move(change)); }

  scene::StatePtr state(StateNeed need) override;
  void restore(scene::StatePtr state) override { edits_.restore(std::move(state)); }
  Place place() const override;
  void go_to_place(const scene::Json& place) override;
  std::string go_to_coordinates(const std::string& text) override;
  bool open_file(const std::filesystem::path& file, FileKind kind) override;
  /// Those that a restored state waits to set, if there is one.
  const SolidSettings& settings() const {
    return edits_.restored() ? edits_.restored()->settings : settings_;
  }

 private:
  void overlays(ImDrawList& list);
  void set_colours();
  void draw_fractal();
  static void use(const SolidFile& file, SolidSettings& settings);
  void record(const SolidSettings& before, const SolidSettings& after);
  /// The thread of the selected cell under the active map.
  const SelectedThread& selected_thread() const { return selected_[index_of(settings_.config.method.map)]; }
  void change_cells(bool new_field);
  /// Creates the panes that the settings need, and frees the others.
  void update_panes(MapKind map_before);
  RayPane& active() const { return *panes_[index_of(settings_.config.method.map)]; }
  /// Whether a pane works. Only one does at a time: the others may copy its cells, and times are comparable.
  bool busy() const;
  bool picture_changes() const;
  int divisor() const;
  /// Sets what the panes have to show.
  void update_request();
  /// What the pane of this map has to show; valid until the next call.
  const RayRequest& request_of(MapKind map) const;
  bool all_have_cells() const;
  void take(const RayEngine::Outcome* outcome);

  // Mouse and selection.
  void update_mouse();
  /// The pixel under the mouse, relative to the pane that it is over.
  std::optional<glm::vec2> hovered_pixel() const;
  /// Finds the cell under the mouse; the engine must be idle.
  void pick();
  void select();
  /// Finds the threads of the selected cell.
  void locate_threads();
  void edit_cell(Coord3 cell);
  std::optional<Coord3> selected_cell() const { return settings_.pinned ? settings_.pinned : hovered_; }

  // Comparison.
  void advance_others(FrameClock& clock, TaskTimeout timeout);
  MapScores scores() const;
  Area pane_area(MapKind map) const;
  void add_comparison_state(nlohmann::ordered_json& own) const;

  Shortcuts<SolidSceneEdit> keys_;
  SolidSettings settings_;
  std::optional<SolidSceneEdit> edit_;
  EditQueue<SolidSceneEdit, SolidState> edits_;
  bool undone_ = false;    ///< changes of this frame by undo are not recorded
  bool restored_ = false;  ///< this frame shows a restored state
  SolidCamera camera_;
  CellSourceOf<3> cells_;    ///< the wanted ones
  std::uint32_t steps_ = 0;  ///< generations of the user that are not wanted yet
  bool cancelled_ = false;   ///< by the user, while a pane works

  std::array<std::unique_ptr<RayPane>, kMapKinds.size()> panes_;  ///< by MapKind; null: not shown
  RayRequest wanted_;                                             ///< of the active pane
  mutable RayRequest other_;                                      ///< memory for request_of()
  render::SolidRenderer renderer_;
  render::Palette palette_ = render::palettes().front();
  SolidColouring coloured_by_ = SolidColouring::kState;
  glm::u8vec3 background_ = palette_.outside;

  bool comparison_pending_ = false;   ///< a pane is not complete yet
  std::vector<PaneArea> pane_areas_;  ///< by MapKind; empty without a comparison
  std::optional<Coord3> hovered_;
  SelectedThreads selected_;

  LifeToolbarState toolbar_;
  SolidPanelState panel_;
  SolidEditor editor_;
  glm::ivec2 picture_{1, 1};
  PictureLegend legend_;
  CameraMouse mouse_;
  Area mouse_area_;  ///< the pane that the mouse is over
};

}  // namespace loom::app
