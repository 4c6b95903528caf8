#pragma once

#include <imgui.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/shell/edit_queue.h"
#include "app/shell/workspace.h"
#include "app/workspaces/solid/document/solid_state.h"
#include "app/workspaces/solid/panels/solid_panels.h"
#include "app/workspaces/solid/scene/solid_runner.h"
#include "app/workspaces/solid/solid_keys.h"
#include "render/display_texture.h"
#include "render/palette.h"
#include "render/solid_renderer.h"

namespace loom::app {

/// Life on three-dimensional fractals.
class SolidWorkspace final : public Workspace {
 public:
  /// `services` must outlive the workspace.
  SolidWorkspace(const SolidSettings& settings, const ShellServices& services);

  std::string_view id() const override { return SolidState::kId; }
  const char* label() const override { return "3-D"; }
  const char* hint() const override { return "Life on three-dimensional fractals"; }
  std::span<const Command> commands() const override { return keys_.commands(); }
  void run(std::size_t command) override { keys_.run(command, *edit_); }
  bool checked(std::size_t command) const override { return keys_.checked(command, *edit_); }
  const Command* command_of(const KeyPress& press) const override { return keys_.find(press); }
  std::span<const KeyHelp> gestures() const override { return solid_gestures(); }

  void begin(ShellEdit& shell) override;
  bool press(const KeyPress& press) override { return keys_.press(press, *edit_); }
  std::span<const float> toolbar_groups(bool) const override { return solid_toolbar_groups(); }
  void toolbar_group(std::size_t group, bool) override { solid_toolbar_group(group, *edit_); }
  void controls() override { solid_panel(panel_, *edit_, camera_); }
  DockContent dock_content() const override { return DockContent::kFigures; }
  void dock(const DockSpace& room) override;
  Area panels(const Layout& layout) override;
  void update(const Area& picture, float scale) override;
  void apply() override;
  void compute(FrameClock& clock) override;
  void show(FrameClock& clock) override;
  void overlays(ImDrawList&) override {}
  Message take_message() override { return std::exchange(message_, {}); }
  WorkspaceStatus status() const override;
  void cancel() override { engine_.cancel(); }
  void finish() override;
  bool is_animating() const override { return settings_.playing; }
  void add_state(nlohmann::ordered_json& json) override;

  scene::StatePtr describe(bool exact_view = false) const override;
  void restore(scene::StatePtr state) override { edits_.restore(std::move(state)); }
  scene::Json place() const override { return to_json(camera_); }
  std::string place_name() const override;
  void go_to_place(const scene::Json& place) override;
  std::string coordinates() const override;
  const CoordinateLabels& coordinate_labels() const override;
  std::string go_to_coordinates(const std::string& text) override;
  const Area& picture_area() const override { return area_; }
  float picture_scale() const override { return scale_; }

 private:
  /// The picture that is shown.
  struct Shown {
    SolidCamera camera;
    glm::ivec2 picture{0};
    SolidConfig config;
    bool living_only = false;
    CutAxis cut_axis = CutAxis::kNone;
    float cut = 0;
    std::uint64_t generation = 0;
    friend bool operator==(const Shown&, const Shown&) = default;
  };
  void queue(std::function<void(SolidSceneEdit&)> change) { edits_.request(std::move(change)); }
  void update_mouse();
  void record(const SolidSettings& before, const SolidSettings& after);
  SolidStats stats() const;
  bool picture_changes() const;
  bool is_shown(bool full) const;
  int divisor() const;
  void start(int divisor);
  void accept(const SolidRunner::Outcome& outcome);

  const ShellServices& services_;
  Shortcuts<SolidSceneEdit> keys_;
  SolidSettings settings_;
  std::optional<SolidSceneEdit> edit_;
  EditQueue<SolidSceneEdit, SolidState> edits_;
  bool undone_ = false;  ///< changes of this frame by undo are not recorded
  SolidCamera camera_;
  std::vector<SolidRun> runs_;                   ///< from the random start to the cells
  std::optional<std::vector<SolidRun>> replay_;  ///< requested by a restored state
  bool restart_ = false;
  std::uint32_t steps_ = 0;  ///< requested generations, not computed yet

  AsyncEngine<SolidRunner> engine_;
  SolidRequest request_;
  render::DisplayTexture texture_;
  render::SolidRenderer renderer_;
  render::Palette palette_ = render::palettes().front();
  std::optional<Shown> shown_;
  Shown requested_;
  int shown_divisor_ = 1;
  int requested_divisor_ = 1;

  SolidPanelState panel_;
  Area area_;
  float scale_ = 1;
  glm::ivec2 picture_{1, 1};
  int drag_button_ = -1;
  bool pans_ = false;
  Message message_;
};

}  // namespace loom::app
