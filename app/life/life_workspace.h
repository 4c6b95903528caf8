#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/bench/window/bench_panel.h"
#include "app/bench/window/bench_session.h"
#include "app/life/life_keys.h"
#include "app/life/panels/fractal_panel.h"
#include "app/life/panels/panes_panel.h"
#include "app/life/panels/thread_panel.h"
#include "app/life/panels/view_panel.h"
#include "app/life/panels/workload_panel.h"
#include "app/life/panes/pane.h"
#include "app/life/panes/panes_beside.h"
#include "app/life/panes/saved_field.h"
#include "app/life/scene/explained.h"
#include "app/life/scene/life_facts.h"
#include "app/life/scene/map_measurement.h"
#include "app/life/scene/population.h"
#include "app/shell/workspace.h"

namespace loom::app {

/// The game of life, single writes and reductions on NBB fractals.
class LifeWorkspace final : public Workspace {
 public:
  /// `services` must outlive it. Throws as EngineHost does.
  LifeWorkspace(LifeSettings settings, const ShellServices& services);

  std::string_view name() const override { return "life"; }
  const char* label() const override { return "Life"; }
  const char* hint() const override { return "The game of life on fractals"; }
  std::span<const KeyHelp> keys() const override { return keys_.help(); }
  std::span<const KeyHelp> gestures() const override { return life_gestures(); }

  void begin(ShellEdit& shell) override;
  bool press(const KeyPress& press) override { return keys_.press(press, *edit_); }
  void controls() override;
  DockContent dock_content() const override {
    if (settings_.show_bench) return DockContent::kNothing;
    return settings_.show_thread ? DockContent::kOpened : DockContent::kFigures;
  }
  float more_dock_lines() const override;
  void dock(const DockRoom& room) override;
  bool covers_controls(const Layout& layout) const override;
  Area panels(const Layout& layout) override;
  void update(const Area& picture, float scale) override;
  void apply() override;
  void compute(FrameClock& clock) override;
  void show(FrameClock& clock) override;
  void begin_next(FrameClock& clock) override;
  void overlays(ImDrawList& list) override;
  std::string take_message() override { return std::exchange(message_, {}); }
  WorkspaceStatus status() const override;
  void cancel() override;
  void finish() override;
  std::string unsaved() const override;
  void add_state(nlohmann::ordered_json& json) override;

  /// The next frame makes this change, as if the user had.
  void request(std::function<void(LifeEdit&)> change) { requested_ = std::move(change); }
  /// Shows the Bench panel and starts a preset's sweep, or for an empty name the one around the scene. Throws
  /// InputError for an unknown preset, or one that cannot be measured here.
  void start_bench(const std::string& preset);
  /// What to do with a configuration of the Mandelbrot set that a sweep measured and the user chose.
  using ShowMandelbrot = std::function<void(const MandelbrotConfig&, ShellEdit&)>;
  void show_mandelbrot_case(ShowMandelbrot show) { show_mandelbrot_ = std::move(show); }
  const BenchSession& bench() const { return bench_; }
  /// The cells and the view of now, for LifeCommands::put_back; null where there are too many, or the engine
  /// is at work.
  std::shared_ptr<const SavedField> saved() const { return save_field(*pane_); }
  const LifeSettings& settings() const { return settings_; }
  const EngineHost& host() const { return pane_->host; }

 private:
  struct Target {
    FractalConfig config;
    BackendSelection backend;
  };
  void show_case(const bench::Case& bench_case);
  LifeFacts facts() const;
  BenchScene bench_scene() const;
  std::string_view blocks_hidden() const;
  TimingConditions conditions() const;
  bool held() const;
  bool rests() const { return !pane_->host.busy() && !beside_.busy(); }
  void select();
  void read_states();
  void want(const FractalConfig& config);
  void take(const LifeDone& done, FrameClock& clock);
  void take_back_wish(const std::string& why);
  /// What a frame's job does: generations as well, or only a picture of another view; ahead: for the next
  /// frame, which takes what comes of it.
  enum class JobKind { kWhole, kAhead, kView };
  void start_job(JobKind kind, FrameClock& clock);
  void measure(FrameClock& clock);
  void put_back();

  const ShellServices& services_;
  Shortcuts<LifeEdit> keys_;
  LifeSettings settings_;
  std::optional<LifeEdit> edit_;
  std::function<void(LifeEdit&)> requested_;
  std::optional<NbbFractal> own_fractal_;  ///< one that the catalogue lacks

  std::unique_ptr<Pane> pane_;  ///< the scene's
  CellStates states_;           ///< before the panes, which look at them
  PanesBeside beside_;
  Target target_;                               ///< what runs, or is to run
  bool build_pending_ = false;                  ///< the target is not being built yet
  bool backend_refused_ = false;                ///< the shell's choice could not be taken
  LifeJob job_;                                 ///< what has come together for the next one
  std::shared_ptr<const SavedField> put_back_;  ///< once the engine that they go into runs
  bool ahead_ = false;                          ///< a device does what the next frame will take
  std::uint32_t steps_ = 0;                     ///< generations asked for one by one
  std::optional<Coord64> probed_cell_;

  Explained explained_;
  std::optional<Place> hovered_;             ///< in whichever pane
  bool clicked_ = false;                     ///< on a picture, without a drag
  std::optional<teach::CellSquare> marked_;  ///< a level of lambda that the cursor is on, in the dock
  std::optional<LifeFacts> facts_;           ///< for the panels of this frame
  Population population_;

  FractalPanelState fractal_panel_;
  WorkloadPanelState workload_panel_;
  ViewPanelState view_panel_;
  ThreadPanelState thread_panel_;
  BenchPanelState bench_panel_;
  BenchSession bench_;
  ShowMandelbrot show_mandelbrot_;
  std::string message_;
  MapMeasurement maps_;
};

}  // namespace loom::app
