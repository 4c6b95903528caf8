#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "app/shell/workspace.h"
#include "app/workspaces/benchmark/bench_panel.h"
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

  std::string_view id() const override { return BenchmarkState::kId; }
  const char* label() const override { return "Benchmark"; }
  const char* hint() const override { return "Sweeps of methods, tile sizes and levels, and their plots"; }
  std::span<const Command> commands() const override { return keys_.commands(); }
  void run(std::size_t command) override { keys_.run(command, *this); }
  const Command* command_of(const KeyPress& press) const override { return keys_.find(press); }
  std::span<const KeyHelp> gestures() const override;

  void begin(ShellEdit& shell) override;
  bool press(const KeyPress& press) override { return keys_.press(press, *this); }
  void controls() override;
  DockContent dock_content() const override { return DockContent::kNothing; }
  void dock(const DockSpace&) override {}
  Area panels(const Layout& layout) override;
  void update(const Area& picture, float scale) override { area_ = picture, scale_ = scale; }
  void apply() override {}
  void compute(FrameClock& clock) override;
  void show(FrameClock&) override {}
  void overlays(ImDrawList&) override {}
  Message take_message() override { return std::exchange(message_, {}); }
  WorkspaceStatus status() const override;
  void cancel() override {}
  void finish() override {}
  /// Pauses a sweep.
  void hide() override;
  bool is_animating() const override { return session_.is_active() || session_.file_busy(); }
  std::string unsaved() const override { return session_.unsaved_text(); }
  std::optional<SaveRequest> save_unsaved() override;
  bool saving() const override { return session_.file_busy(); }
  void add_state(nlohmann::ordered_json& json) override;

  scene::StatePtr describe(bool exact_view = false) const override;
  /// Keeps the form of a sweep that has not ended.
  void restore(scene::StatePtr state) override;

  scene::Json place() const override { return {{"sweep", to_json(texts())}}; }
  std::string place_name() const override;
  void go_to_place(const scene::Json& place) override;
  std::string coordinates(bool) const override { return session_.form.preset; }
  const CoordinateLabels& coordinate_labels() const override;
  std::string go_to_coordinates(const std::string& text) override;
  const Area& picture_area() const override { return area_; }
  float picture_scale() const override { return scale_; }

  const BenchSession& session() const { return session_; }
  /// Starts the sweep of a preset, or, for an empty name, the sweep around the scene. Throws InputError for
  /// an unknown preset, or one that this machine cannot measure.
  void start(const std::string& preset);
  /// Starts the sweep of the form, pauses it or resumes it.
  void start_or_pause();

 private:
  SweepTexts texts() const;
  void load(const SweepTexts& sweep);
  BenchScene scene() const;

  const ShellServices& services_;
  FindScene find_scene_;
  ShowCase show_case_;
  Shortcuts<BenchmarkWorkspace> keys_;
  ShellEdit* shell_ = nullptr;  ///< of the frame
  BenchPanelState panel_;
  BenchSession session_;
  bool shown_ = false;
  Message message_;
  Area area_ = {};
  float scale_ = 1;
};

}  // namespace loom::app
