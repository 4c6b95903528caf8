#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "app/shell/workspace.h"
#include "app/workspaces/benchmark/bench_session.h"
#include "app/workspaces/benchmark/benchmark_state.h"

namespace loom::app {

/// Sweeps of configurations and their plots. The form is in the column of the controls, the plot in the place
/// of the picture. A sweep is paused while another workspace is shown.
class BenchmarkWorkspace final : public Workspace {
 public:
  /// Returns the scene around which a sweep is suggested.
  using FindScene = std::function<BenchScene(const ShellSettings&)>;
  /// Shows a configuration that the user clicked in a plot.
  using ShowCase = std::function<void(const bench::Case&, ShellEdit&)>;

  /// `services` must outlive it.
  BenchmarkWorkspace(const ShellServices& services, FindScene find_scene, ShowCase show_case);

  CommandSource commands() override { return keys_.source(this); }
  void begin(ShellEdit& shell) override;
  PanelNeeds panel_needs() const override;
  void toolbar_group(std::size_t group, bool brief) override;
  void controls() override { bench_panel(panel_, session_, scene()); }
  Area panels(const Layout& layout) override;
  void update(const Area& picture, float scale) override { area_ = picture, scale_ = scale; }
  void compute(FrameClock& clock) override;
  void show(FrameClock&, ImDrawList&) override {}
  WorkspaceStatus status() const override;
  /// Pauses a sweep.
  void hide() override;
  std::optional<SaveRequest> save(SavedPart part) override;
  void add_state(nlohmann::ordered_json& json) override;

  scene::StatePtr state(StateNeed need) override;
  /// Keeps the form of a sweep that has not ended.
  void restore(scene::StatePtr state) override;

  Place place() const override;
  void go_to_place(const scene::Json& place) override;
  std::string go_to_coordinates(const std::string& text) override;

  const BenchSession& session() const { return session_; }
  /// Starts the sweep of a preset, or, for an empty name, the sweep around the scene. Throws InputError for
  /// an unknown preset, or one that this machine cannot measure.
  void start(const std::string& preset);
  /// Starts the sweep of the form, pauses it or resumes it.
  void start_or_pause();

 private:
  void load(const bench::SweepTexts& sweep);
  BenchScene scene() const { return find_scene_(shell_ != nullptr ? shell_->settings : ShellSettings{}); }

  FindScene find_scene_;
  ShowCase show_case_;
  Shortcuts<BenchmarkWorkspace> keys_;
  ShellEdit* shell_ = nullptr;  ///< of the frame
  BenchPanelState panel_;
  BenchSession session_;
  bool shown_ = false;
};

}  // namespace loom::app
