#pragma once

#include <imgui.h>

#include <functional>
#include <glm/fwd.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/palette/window/palette_editor.h"
#include "app/shell/present.h"
#include "app/shell/undo_history.h"
#include "app/shell/workspace.h"
#include "app/text/text.h"
#include "app/widgets/picture.h"
#include "app/workspaces/mandelbrot/document/mandelbrot_state.h"
#include "app/workspaces/mandelbrot/panels/mandelbrot_panels.h"
#include "app/workspaces/mandelbrot/panes/method_comparison.h"
#include "app/workspaces/mandelbrot/panes/volume_picture.h"
#include "app/workspaces/mandelbrot/picture/overlays.h"
#include "app/workspaces/mandelbrot/scene/complex_view.h"
#include "app/workspaces/mandelbrot/scene/dwell_runner.h"
#include "app/workspaces/mandelbrot/scene/mandelbrot_stats.h"
#include "app/workspaces/mandelbrot/scene/pixel_samples.h"
#include "render/colour_texture.h"
#include "render/gl/object.h"

namespace loom::app {

/// The Mandelbrot set by subdivision.
class MandelbrotWorkspace final : public Workspace {
 public:
  /// `view`, if given, is the first view. `services` must outlive the workspace.
  MandelbrotWorkspace(MandelbrotSettings settings, std::optional<ComplexView> view,
                      const ShellServices& services);

  CommandSource commands() override;
  void begin(ShellEdit& shell) override;
  PanelNeeds panel_needs() const override {
    return {.toolbar = mandelbrot_toolbar_groups(false),
            .brief_toolbar = mandelbrot_toolbar_groups(true),
            .metrics = true,
            .details = "Cost model",
            .details_open = (edit_ ? edit_->settings : settings_).show_model,
            .has_editor = settings_.show_formula,
            .legend = legend_.area()};
  }
  void toolbar_group(std::size_t group, bool brief) override {
    mandelbrot_toolbar_group(group, brief, *edit_, services_.backend.device);
  }
  void controls() override;
  void dock(const DockSpace& room) override;
  Area panels(const Layout& layout) override;
  void update(const Area& picture, float scale) override;
  void compute(FrameClock& clock) override;
  void show(FrameClock& clock, ImDrawList& overlays) override;
  WorkspaceStatus status() const override;
  void cancel() override;
  void finish() override;
  void add_state(nlohmann::ordered_json& json) override;

  /// Queues a change that the next frame applies as a user action; replaces a pending one.
  void request(std::function<void(MandelbrotEdit&)> change) { edits_.request(std::move(change)); }

  // A restored state that is not shown yet is the current one.
  scene::StatePtr state(StateNeed need) override;
  void restore(scene::StatePtr state) override { edits_.restore(std::move(state)); }
  Place place() const override;
  void go_to_place(const scene::Json& place) override;
  std::string go_to_coordinates(const std::string& text) override;
  bool open_file(const std::filesystem::path& file, FileKind kind) override;
  std::optional<SaveRequest> save(SavedPart part) override;

  const DwellRunner& runner() const { return pane_.runner(); }
  const Landscape& landscape() const { return landscape_; }
  /// Whether the picture is complete and timed.
  bool is_computed() const {
    return settings_.volume.shown ? volume_.is_done() : pane_.runner().report().has_value();
  }
  /// Whether more samples per pixel are requested than computed.
  bool samples_pending() const {
    return samples_in_file(settings_.samples_per_axis) > pane_.sampler().samples_per_axis();
  }
  const MandelbrotSettings& settings() const { return settings_; }
  const ComplexView& view() const { return history_.present(); }
  /// The current view if it was selected explicitly; empty for the default view, which depends on the size of
  /// the picture.
  std::optional<ComplexView> chosen_view() const {
    if (history_.fitted()) return std::nullopt;
    return view();
  }

 private:
  bool press(const KeyPress& press);
  bool in_space() const { return (edit_ ? edit_->settings : settings_).volume.shown; }
  void compute_volume(FrameClock& clock);
  /// Validates and applies the edited settings.
  void apply();
  void overlays(ImDrawList& list);
  MandelbrotStats stats() const;
  /// Shows a problem, if there is one.
  void show_error(std::string problem) {
    if (!problem.empty()) message_ = Message::error(std::move(problem));
  }
  void look_at(const ViewRequest& view, std::optional<std::uint32_t> dwell_limit,
               const std::optional<EscapeTimeSet>& set);
  void look_at_volume(const JsonReader& json);
  void paste_view();
  bool automatic() const;
  MandelbrotConfig computed_config() const;
  AutoTuner::TuningProblem tuning_problem() const;
  void search_plan(bool is_idle);
  void poll_landscape(TaskTimeout timeout);
  void apply_results();
  void search_minibrot();
  void stop_autopilot(std::string_view why);
  void show_autopilot_end(std::string_view why);
  /// Why there is nothing to see in the view; empty if there is.
  /// The picture is that of the current view, in full resolution.
  bool is_complete() const;
  Text nothing_to_see() const;
  void go_to_tour_stop(std::size_t stop);
  void play_tour();
  void go_to(const ComplexView& view);
  void run_background_work(TaskTimeout timeout);
  bool compute_active(const DwellRequest& request, TaskTimeout timeout);
  void compute_comparison(const DwellRequest& request, TaskTimeout timeout);
  std::array<glm::dvec2, 32> stepped_pixels() const;
  /// Creates the panes of the comparison, or frees them.
  void update_comparison();
  Area pane_area(MandelbrotMethod method) const;
  /// Returns whether the mouse zooms in.
  bool update_mouse(const Area& area, float scale);
  void move_cursor();
  std::optional<glm::dvec2> hovered_pixel() const;
  void draw_other_panes();
  void other_overlays(ImDrawList& list);
  void add_comparison_state(nlohmann::ordered_json& own) const;
  void measure_divergence();
  /// Selects the devices of backend_.
  void choose_devices();
  render::Rect<int> julia_inset() const;
  EscapeTimeSet inset_set() const;
  void update_set(MandelbrotEdit& edit);
  bool is_outdated() const;
  void record_settings(const MandelbrotSettings& before, const MandelbrotSettings& after);
  void record_view(const ViewHistory::Entry& before, const ViewHistory::Entry& after);

  Shortcuts<MandelbrotEdit> keys_;
  MandelbrotSettings settings_;
  std::optional<MandelbrotEdit> edit_;
  EditQueue<MandelbrotEdit, MandelbrotState> edits_;
  bool settings_undone_ = false;  ///< changes of this frame by undo are not recorded
  MandelbrotCommands commands_;   ///< commands of the current frame

  ViewHistory history_;
  glm::ivec2 picture_{1, 1};
  MandelbrotMouse mouse_;
  Area mouse_area_;  ///< the pane under the mouse, or that of the current gesture
  MandelbrotPanelState panel_;
  FormulaPanel formula_;
  CostModelPanelState cost_model_panel_;
  BackendSelection backend_;  ///< backend of the pictures
  MethodPane pane_;           ///< of the active method
  VolumePicture volume_;
  bool check_requested_ = false;  ///< requested, not started yet
  bool exhaustive_timing_requested_ = false;
  bool recording_requested_ = false;
  TimelineStrip timeline_;
  LevelAnimation levels_;
  RegionMarkCache level_marks_;  ///< marks of the level under the cursor in the timeline
  Precision precision_ = Precision::kFloat;

  WarpDivergence divergence_;  ///< divergence of the current picture, if requested
  render::ColourTexture divergence_texture_;
  bool divergence_drawn_ = false;  ///< the texture shows these counts
  PaletteEditor palette_editor_;
  JuliaInset julia_;
  /// The last point under the cursor in the parameter plane that has a Julia set, while the view shows it.
  JuliaPoint julia_point_{-0.5, 0};
  bool julia_pinned_ = false;                     ///< a click fixed it, for the way to the inset
  std::optional<ViewHistory::Entry> plane_view_;  ///< of the parameter plane, while a Julia set is shown
  PictureLegend legend_;
  Landscape landscape_;
  ComplexView landscape_of_;
  AutoTuner plan_;
  Autopilot autopilot_;
  std::optional<ViewHistory::Entry> autopilot_from_;  ///< where the autopilot was started
  bool autopilot_moved_ = false;                      ///< the view since then
  MinibrotSearch minibrot_;
  ComplexView minibrot_from_;  ///< the view that is searched
  mutable ModelStats model_;
  std::optional<ComplexView> seen_;  ///< the last view whose complete picture showed something
  Area nothing_button_;              ///< leads back where there is nothing to see; empty elsewhere; for tests
  render::GpuTimer draw_timer_;
  std::unique_ptr<MethodComparison> comparison_;  ///< the other panes; null without a comparison
  bool comparison_pending_ = false;               ///< a pane is not complete yet
  std::vector<PaneArea> panes_;                   ///< areas by method; empty without a comparison

  PictureCursor key_cursor_;  ///< for the keyboard, at a pixel
  PointUnderCursor cursor_;
  std::optional<std::size_t> tour_index_;
  ComplexView tour_view_;
  bool tour_plays_ = false;
  double tour_arrived_ = 0;  ///< when the picture of the stop was complete, in ImGui's seconds
};

}  // namespace loom::app
