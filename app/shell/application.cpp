#include "app/shell/application.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/gui/layout.h"
#include "app/gui/theme.h"
#include "app/life/fp16_warning.h"
#include "app/life/panels/caption.h"
#include "app/life/panels/thread_map_panel.h"
#include "app/life/panels/timing_overlay.h"
#include "app/life/picture/grid_overlay.h"
#include "app/life/step_measurement.h"
#include "app/shell/help_panel.h"
#include "app/shell/shortcuts.h"
#include "app/shell/status_line.h"
#include "app/shell/workspace_switch.h"
#include "compute/core/error.h"
#include "compute/geometry/nbb_catalog.h"

namespace loom::app {
namespace {

constexpr double kKeyZoom = 1.25;
constexpr double kKeyPan = 0.1;  // of the picture

double milliseconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

std::optional<NbbFractal> unless_in_catalog(const NbbFractal& fractal) {
  const auto& all = catalog();
  if (std::find(all.begin(), all.end(), fractal) != all.end()) return std::nullopt;
  return fractal;
}

float framebuffer_scale() {
  return std::max(ImGui::GetIO().DisplayFramebufferScale.x, 1.0f);
}

render::Rect to_pixels(const Area& area) {
  const float scale = framebuffer_scale();
  const auto pixels = [&](float length) { return static_cast<int>(std::lround(length * scale)); };
  return {pixels(area.x), pixels(area.y), pixels(area.width), pixels(area.height)};
}

// The same whether or not there is a scroll bar, so that nothing jumps when a section is folded.
float controls_content_width() {
  const ImGuiStyle& style = ImGui::GetStyle();
  return kControlsWidth * ImGui::GetFontSize() - 2 * style.WindowPadding.x - style.ScrollbarSize;
}

}  // namespace

Application::Application(Settings settings, render::GraphicsContext& context, bool panels,
                         std::optional<ComplexView> explored)
    : context_(context),
      panels_(panels),
      settings_(std::move(settings)),
      own_fractal_(unless_in_catalog(settings_.config.fractal)),
      host_(settings_),
      space_(settings_.config),
      cuda_(cuda_status()),
      keys_(context.window()),
      gui_(context, settings_.view.ui_pixels),
      presenter_(context, host_.backend()),
      mandelbrot_(explored),
      frame_begin_(Clock::now()),
      message_(gui_.fonts().problem) {
  presenter_.set_palette(settings_.view.palette);
  workload_panel_.rule_text = to_string(settings_.rule);
  method_changed();
}

void Application::frame() {
  begin_sample();
  const auto panels_begin = Clock::now();
  keys_.hold_taps();
  gui_.begin_frame(settings_.view.ui_pixels);
  Edit edit{settings_, {}};
  apply_keys(keys_.take(), edit);
  if (requested_) std::exchange(requested_, nullptr)(edit);
  picture_ = build_panels(edit);
  double panels_ms = milliseconds_since(panels_begin);

  if (explores()) {
    mandelbrot_.update(picture_, framebuffer_scale(), edit);
  } else {
    update_view(edit);
  }
  apply(edit);
  if (explores()) {
    explore(edit.commands);
  } else {
    step(edit.commands);
    measure();
    show();
  }

  const auto overlays_begin = Clock::now();
  if (panels_) draw_overlays();
  gui_.end_frame();
  panels_ms += milliseconds_since(overlays_begin);
  panels_timer_.begin();
  gui_.draw();
  panels_timer_.end();
  if (const auto gpu = panels_timer_.take()) sample_[Stage::kPanels] = panels_ms + *gpu;
  context_.present();
}

std::optional<std::uint64_t> Application::sum() const {
  if (settings_.workload != Workload::kReduction || !last_step_) return std::nullopt;
  return last_step_->sum;
}

bool Application::typing() const {
  return ImGui::GetIO().WantTextInput;
}

// A frame is known in full only when the next one begins.
void Application::begin_sample() {
  const auto now = Clock::now();
  times_.set_paused(settings_.view.pause_timing);
  if (sample_valid_) {
    sample_[Stage::kFrame] = std::chrono::duration<double, std::milli>(now - frame_begin_).count();
    times_.add(sample_);
    const StageFigures figures = times_.generation_figures();
    if (figures.samples > 0)
      map_times_.record(engine().config(), settings_.work(), backend_name_, figures.median);
  }
  sample_ = {};
  sample_valid_ = true;
  frame_begin_ = now;
  rate_.count(now);
}

std::string_view Application::blocks_hidden() const {
  if (!settings_.view.block_grid) return "G shows the blocks";
  const PictureView view{camera_, picture_, framebuffer_scale()};
  return block_side(view, space_) < kMinGridSpacing ? "zoom in to see the blocks" : "";
}

Report Application::report() const {
  return {.config = engine().config(),
          .backend = host_.backend(),
          .cuda = cuda_,
          .backend_name = explores() ? mandelbrot_.backend_name() : backend_name_,
          .picture_path = presenter_.path(),
          .space = space_,
          .times = times_,
          .map_times = map_times_,
          .work = settings_.work(),
          .step = last_step_,
          .census = population_.counted(),
          .generation = engine().generation(),
          .cells = engine().cell_count(),
          .bytes_held = engine().bytes_held(),
          .largest_level = largest_level_,
          .wrong = wrong_,
          .blocks_hidden = blocks_hidden(),
          .frames_per_second = rate_.frames_per_second()};
}

void Application::controls(const Area& area, Edit& edit, const Report& now) {
  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize({area.width, area.height});
  ImGui::SetNextWindowContentSize({controls_content_width(), 0});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
  ImGui::Begin("##controls", nullptr,
               ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_HorizontalScrollbar |
                   ImGuiWindowFlags_NoBackground);
  ImGui::PopStyleVar();
  workspace_switch(edit);
  if (explores()) {
    mandelbrot_.controls(edit, mandelbrot_.report(host_.backend(), cuda_, rate_.frames_per_second(),
                                                  edit.settings.explorer.show_model));
    ImGui::End();
    return;
  }
  fractal_panel(fractal_panel_, edit, now, own_fractal_ ? &*own_fractal_ : nullptr);
  thread_map_panel(edit, now);
  workload_panel(workload_panel_, edit, now);
  view_panel(view_panel_, edit);
  ImGui::End();
}

Area Application::build_panels(Edit& edit) {
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  Layout layout = arrange(size.x, size.y, ImGui::GetFontSize(), panels_);
  if (layout.controls.empty()) return layout.picture;
  const Report now = report();

  ImDrawList& ground = *ImGui::GetBackgroundDrawList();
  const ImU32 colour = ImGui::GetColorU32(ImGuiCol_WindowBg);
  ground.AddRectFilled({0, 0}, {layout.controls.width, size.y}, colour);
  ground.AddRectFilled({0, layout.status.y}, size, colour);

  if (explores()) {
    controls(layout.controls, edit, now);
    status_line(layout.status, edit, now);
    layout.picture.height -=
        mandelbrot_.panels(layout.picture, edit,
                           mandelbrot_.report(host_.backend(), cuda_, rate_.frames_per_second(),
                                              edit.settings.explorer.show_model),
                           presenter_.palette());
    if (!message_banner(layout.picture, message_)) edit.commands.dismiss = true;
    help_panel(layout.picture, edit.settings.view, edit.settings.workspace);
    return layout.picture;
  }
  const NbbFractal* own_fractal = own_fractal_ ? &*own_fractal_ : nullptr;
  const bool bench_shown = edit.settings.view.show_bench;
  const bool covered = bench_shown && bench_area(layout, ImGui::GetFontSize()).x < layout.picture.x;
  if (!covered) controls(layout.controls, edit, now);
  status_line(layout.status, edit, now);
  const auto& hovered = mouse_.hovered();
  const bool alive = hovered && engine().cell(hovered->cell).value_or(false);
  if (!covered) layout.picture.height -= caption(layout.picture, now, presenter_.palette(), hovered, alive);
  if (!bench_shown) wrong_banner(layout.picture, now.wrong);
  const Area bench_place = covered ? bench_area(layout, ImGui::GetFontSize()) : layout.picture;
  bench_panel(bench_panel_, bench_, bench_place, edit, own_fractal);
  if (!bench_shown) timing_overlay(timing_overlay_, layout.picture, edit, now);
  if (!message_banner(layout.picture, message_)) edit.commands.dismiss = true;
  help_panel(layout.picture, edit.settings.view, edit.settings.workspace);
  return layout.picture;
}

void Application::update_view(Edit& edit) {
  Commands& commands = edit.commands;
  const render::Rect pixels = to_pixels(picture_);
  camera_.set_picture({pixels.width, pixels.height});
  if (commands.fit) camera_.fit();
  const double width = camera_.picture().width;
  const double height = camera_.picture().height;
  if (commands.zoom != 0) camera_.zoom_at(width / 2, height / 2, std::pow(kKeyZoom, commands.zoom));
  if (commands.pan_x != 0 || commands.pan_y != 0) {
    camera_.pan(-commands.pan_x * kKeyPan * width, -commands.pan_y * kKeyPan * height);
  }
  if (commands.arm_box_zoom) mouse_.arm_box_zoom();
  if (commands.dismiss) mouse_.cancel();
  if (!picture_.empty()) {
    mouse_.update(picture_, framebuffer_scale(), camera_, space_, engine(), edit.settings.view.edit_cells,
                  commands);
  }
}

void Application::apply(Edit& edit) {
  if (edit.commands.quit) quit_ = true;
  if (edit.commands.dismiss) {
    message_.clear();
    edit.settings.view.show_help = false;
  }
  const FractalConfig before = engine().config();
  const EngineHost::Outcome outcome = host_.apply(edit.settings);
  if (!outcome.problem.empty()) message_ = outcome.problem;
  const bool other_work =
      edit.settings.workload != settings_.workload || edit.settings.reduction != settings_.reduction;
  const bool other_pace = edit.settings.generations_per_frame != settings_.generations_per_frame;
  const bool other_workspace = edit.settings.workspace != settings_.workspace;
  settings_ = edit.settings;
  if (other_workspace) {
    times_.reset();
    sample_valid_ = false;
  }
  if (outcome.rebuilt) {
    message_.clear();
    method_changed();
    if (before.fractal != engine().config().fractal) camera_.fit();
  }
  if (other_work) last_step_.reset();
  if (other_work || other_pace || edit.commands.reset_times) times_.reset();
  if (edit.commands.measure_loop) measure_loop();
  presenter_.set_palette(settings_.view.palette);
  apply_cells(edit.commands);
}

// On an engine of its own, so that the scene's cells and figures stay as they are; the picture stands still
// meanwhile, and the frame is left out of the figures.
void Application::measure_loop() {
  const FractalConfig loop = with_loop(engine().config());
  try {
    map_times_.record(loop, settings_.work(), backend_name_, measure_step(loop, host_.backend(), settings_));
  } catch (const DeviceFault&) {
    throw;
  } catch (const MachineError& error) {
    message_ = error.what();
  }
  sample_valid_ = false;
}

// Everything that was measured or derived from the engine that ran before.
void Application::method_changed() {
  const FractalConfig& config = engine().config();
  backend_name_ = engine().backend_name();
  space_ = BlockSpace(config);
  wrong_ = why_wrong(config);
  presenter_.use_backend(host_.backend());
  camera_.set_field(space_.blocked().width, space_.blocked().height);
  largest_level_ = largest_level(config, bytes_free(host_.backend()));
  settings_.view.pause_timing = false;  // there is nothing left to keep
  times_.reset();
  last_step_.reset();
  population_.invalidate();
  sample_valid_ = false;  // the frame that built an engine says nothing about the engine
}

void Application::apply_cells(const Commands& commands) {
  FractalEngine& engine = host_.engine();
  if (commands.restart) engine.reset(settings_.start);
  if (commands.clear) engine.clear();
  engine.edit(commands.cells);
  if (commands.restart || commands.clear || commands.count || !commands.cells.empty())
    population_.invalidate();
}

void Application::step(const Commands& commands) {
  const bool plays = settings_.playing && !bench_.holds_scene();
  const std::uint32_t generations = plays ? settings_.generations_per_frame : commands.step;
  if (generations > 0) {
    last_step_ = host_.engine().run(generations, settings_.work());
    sample_[Stage::kStep] = last_step_->milliseconds;
    sample_.generations = last_step_->generations;
  }
  population_.update(engine(), plays);
}

// The engine of life stands still, and a sweep waits: what is measured has the machine to itself.
void Application::explore(const Commands& commands) {
  if (bench_.running()) bench_.runner()->pause();
  const std::string problem = mandelbrot_.compute(settings_, commands.explorer, host_.backend());
  if (!problem.empty()) message_ = problem;
  const render::Rect target = to_pixels(picture_);
  if (target.width < 1 || target.height < 1) return;
  ExplorerSettings shown = settings_.explorer;
  if (!panels_) shown.julia = false;  // the picture alone
  mandelbrot_.show(presenter_, target, shown);
  sample_[Stage::kStep] = mandelbrot_.stages().compute;
  sample_[Stage::kTransfer] = mandelbrot_.stages().transfer;
  sample_[Stage::kDraw] = mandelbrot_.stages().draw;
}

// A slice of the sweep is no part of the scene's frame, which is left out of the figures.
void Application::measure() {
  if (!settings_.view.show_bench && bench_.running()) bench_.runner()->pause();
  if (!bench_.running()) return;
  bench_.advance();
  sample_valid_ = false;
}

void Application::start_bench(const std::string& preset) {
  settings_.view.show_bench = true;
  load_sweep(bench_panel_, bench_, preset, settings_, own_fractal_ ? &*own_fractal_ : nullptr);
  if (!bench_.form.ready()) throw InputError(bench_.form.first_problem());
  start_sweep(bench_panel_, bench_, settings_);
}

void Application::show() {
  const render::Rect target = to_pixels(picture_);
  if (target.width < 1 || target.height < 1) return;
  const MemorySpace space = presenter_.prepare({target.width, target.height});
  ImageView image;
  const StepReport resolve =
      host_.engine().resolve({.x_edges = camera_.x_edges(), .y_edges = camera_.y_edges()}, space, image);
  sample_[Stage::kResolve] = resolve.milliseconds;
  sample_[Stage::kTransfer] = presenter_.transfer(image);
  draw_timer_.begin();
  presenter_.draw(target, camera_.field_rect());
  draw_timer_.end();
  if (const auto gpu = draw_timer_.take()) sample_[Stage::kDraw] = *gpu;
}

void Application::draw_overlays() {
  if (picture_.empty()) return;
  ImDrawList& list = *ImGui::GetBackgroundDrawList();
  if (explores()) {
    mandelbrot_.draw_overlays(list, picture_, framebuffer_scale(), settings_.explorer);
    return;
  }
  list.PushClipRect({picture_.x, picture_.y}, {picture_.x + picture_.width, picture_.y + picture_.height});
  const PictureView view{camera_, picture_, framebuffer_scale()};
  const MapKind map = engine().config().method.map;
  if (settings_.view.cell_grid) draw_cell_grid(list, view, space_);
  if (settings_.view.block_grid) draw_block_grid(list, view, space_, map);
  if (mouse_.hovered()) draw_hovered(list, view, space_, *mouse_.hovered(), map);
  mouse_.draw(list);
  list.PopClipRect();
}

}  // namespace loom::app
