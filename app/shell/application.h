#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "app/bench/window/bench_panel.h"
#include "app/bench/window/bench_session.h"
#include "app/gui/gui.h"
#include "app/life/scene/engine_host.h"
#include "app/life/scene/map_times.h"
#include "app/life/panels/fractal_panel.h"
#include "app/life/panels/timing_overlay.h"
#include "app/life/panels/workload_panel.h"
#include "app/life/scene/block_space.h"
#include "app/life/picture/picture_mouse.h"
#include "app/life/scene/population.h"
#include "app/life/scene/life_facts.h"
#include "app/mandelbrot/mandelbrot_workspace.h"
#include "app/shell/edit.h"
#include "app/shell/frame_rate.h"
#include "app/shell/frame_times.h"
#include "app/shell/key_queue.h"
#include "app/shell/present.h"
#include "app/life/scene/life_settings.h"
#include "app/shell/view_panel.h"
#include "render/camera.h"
#include "render/context/graphics_context.h"
#include "render/gl/gpu_timer.h"

namespace loom::app {

/// The program behind the window and the screenshot: both call `frame()` again and again.
class Application {
 public:
  /// `panels` false draws the picture alone; `explored` is what the Mandelbrot workspace shows first. Throws
  /// as EngineHost does, and std::runtime_error where OpenGL fails.
  Application(Settings settings, render::GraphicsContext& context, bool panels = true,
              std::optional<ComplexView> explored = {});

  /// One frame: input and panels edit a copy of the settings; what changed is validated and applied; then
  /// step, resolve, transfer, draw and the panels' drawing. A failed device throws MachineError: the program
  /// must end.
  void frame();
  /// The next frame makes this change, as if the user had.
  void request(std::function<void(Edit&)> change) { requested_ = std::move(change); }

  /// Shows the Bench panel and starts a preset's sweep, or for an empty name the one around the scene. Throws
  /// InputError for an unknown preset, or one that cannot be measured here.
  void start_bench(const std::string& preset);

  bool quit() const { return quit_; }
  const Settings& settings() const { return settings_; }
  const FractalEngine& engine() const { return host_.engine(); }
  const BackendSelection& backend() const { return host_.backend(); }
  const FrameTimes& times() const { return times_; }
  const render::Camera& camera() const { return camera_; }
  const MandelbrotWorkspace& mandelbrot() const { return mandelbrot_; }
  double frames_per_second() const { return rate_.frames_per_second(); }
  const PictureMouse& mouse() const { return mouse_; }
  /// Where the picture and the rule's text field are, in window units.
  const Area& picture_area() const { return picture_; }
  const Area& rule_field() const { return workload_panel_.rule_field; }
  /// What stands in that field, a rule or not.
  const std::string& rule_text() const { return workload_panel_.rule_text; }
  /// Whether what is typed goes into a text field.
  bool typing() const;
  /// The last sum, where the workload is a reduction that has run.
  std::optional<std::uint64_t> sum() const;
  /// Why the picture is wrong, with tensor-fp16; empty where it is right.
  const std::string& wrong() const { return wrong_; }
  const BenchSession& bench() const { return bench_; }
  const BenchPanelState& bench_panel_state() const { return bench_panel_; }
  const std::string& message() const { return message_; }
  const std::string& picture_path() const { return presenter_.path(); }
  render::Extent size() const { return context_.framebuffer_size(); }

 private:
  using Clock = std::chrono::steady_clock;

  void begin_sample();
  BenchScene bench_scene(const Settings& settings) const;
  std::string_view blocks_hidden() const;
  Report report() const;
  bool explores() const { return settings_.workspace == Workspace::kMandelbrot; }
  void controls(const Area& area, Edit& edit, const Report& now);
  Area build_panels(Edit& edit);
  void update_view(Edit& edit);
  void apply(Edit& edit);
  void method_changed();
  void measure_loop();
  void apply_cells(const Commands& commands);
  void step(const Commands& commands);
  void measure();
  void show();
  void explore(const Commands& commands);
  void draw_overlays();

  render::GraphicsContext& context_;
  bool panels_;
  Settings settings_;
  std::optional<NbbFractal> own_fractal_;  ///< of --fractal-file
  EngineHost host_;
  BlockSpace space_;
  CudaStatus cuda_;
  KeyQueue keys_;  // before the Gui, which passes events on
  Gui gui_;
  Presenter presenter_;
  render::Camera camera_;
  Area picture_;
  PictureMouse mouse_;
  MandelbrotWorkspace mandelbrot_;
  render::GpuTimer draw_timer_;
  render::GpuTimer panels_timer_;

  FractalPanelState fractal_panel_;
  WorkloadPanelState workload_panel_;
  ViewPanelState view_panel_;
  TimingOverlayState timing_overlay_;
  BenchPanelState bench_panel_;
  BenchSession bench_;

  FrameTimes times_;
  FrameRate rate_;
  MapTimes map_times_;
  Population population_;
  FrameSample sample_;
  bool sample_valid_ = false;
  Clock::time_point frame_begin_;
  std::optional<StepReport> last_step_;
  int largest_level_ = 0;
  std::string backend_name_;
  std::string wrong_;
  std::string message_;
  std::function<void(Edit&)> requested_;
  bool quit_ = false;
};

}  // namespace loom::app
