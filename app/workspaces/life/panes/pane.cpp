#include <fmt/format.h>

#include <algorithm>
#include <glm/common.hpp>
#include <utility>

#include "app/explain/colour_by.h"
#include "app/explain/memory.h"
#include "app/gui/theme.h"
#include "app/widgets/control_marks.h"
#include "app/widgets/picture.h"
#include "app/workspaces/life/panes/panes.h"
#include "app/workspaces/life/picture/life_picture.h"
#include "app/workspaces/life/scene/life_settings.h"
#include "render/isolated_cells.h"

namespace loom::app {
namespace {

constexpr double kColourSlice = 6;  ///< milliseconds per frame

render::Rect<int> pixels_of(const Area& area, float scale) {
  return {to_pixels(area.corner, scale), glm::min(to_pixels(area.size, scale), kMaxPixels)};
}

}  // namespace

Pane::Pane(const FractalConfig& config, const BackendSelection& backend, const RandomStart& start,
           const render::GraphicsContext& context)
    : async_engine(first_engine(config, backend, start)),
      space(async_engine->config()),
      presenter(context, backend) {
  engine_changed();
}

void Pane::cancel() {
  if (!async_engine.busy()) return;
  cancelled_ = true;
  async_engine.cancel();
}

void Pane::engine_changed() {
  failed_.reset();
  const FractalConfig& config = async_engine->config();
  const bool other_field = camera_fractal_ != config.fractal;
  space = TileGrid(config);
  wrong_ = inexact_reason(config);
  in_bits_ = explain::has_tiles(config) ? std::string() : explain::bit_layout_text(config);
  presenter.use_backend(async_engine->backend());
  camera.set_field({space.tiled().width, space.tiled().height});
  if (other_field) camera.fit();
  camera_fractal_ = config.fractal;
  largest_level_ = loom::largest_level(config, bytes_free(async_engine->backend()));
  clear_step_times();
  census.invalidate();
  probed.reset();
  threads.reset();
  devices.reset();
  image_.reset();  // it belongs to the old engine
  colours_.reset();
  model_.reset();
  stale_ = true;
}

const explain::SpaceLayout& Pane::cells_layout() const {
  if (!model_) model_ = std::make_unique<Model>(async_engine->config());
  return model_->cells;
}

void Pane::colour_devices(const explain::Colouring& colouring,
                          std::chrono::duration<double, std::milli> budget) {
  if (!colours_ || !colours_->devices) {
    const BackendSelection& backend = async_engine->backend();
    auto cells = std::make_shared<const explain::DeviceCells>(
        async_engine->config(), static_cast<std::uint32_t>(backend.devices()),
        backend.device.simulated_devices > 0 ? "simulated device" : "device");
    colours_.emplace();
    colours_->colouring = colouring;
    colours_->legend = explain::legend_of(*cells);
    colours_->devices = std::make_unique<DeviceRaster>();
    colours_->devices->look_at(std::move(cells));
  }
  colours_->devices->advance(camera, budget);
  colours_->devices->upload();
}

void Pane::draw_colours(ImDrawList& list) const {
  if (!colours_) return;
  if (colours_->devices) {
    colours_->devices->draw(list, area_, explain::kColourAlpha);
  } else {
    colours_->raster.draw(list, area_, explain::kColourAlpha);
  }
}

void Pane::colour(const explain::Colouring& colouring, bool waits) {
  const std::chrono::duration<double, std::milli> budget{waits ? 1e9 : kColourSlice};
  if (colouring.by == explain::ColourBy::kDevice && async_engine->backend().devices() > 1)
    return colour_devices(colouring, budget);
  const bool of_another = colouring.by == explain::ColourBy::kWorker &&
                          (!colouring.workers || colouring.workers->config() != async_engine->config());
  const bool by_cells =
      colouring.by == explain::ColourBy::kState || colouring.by == explain::ColourBy::kDevice;
  if (by_cells || of_another || !explain::has_tiles(async_engine->config())) {
    colours_.reset();
    return;
  }
  if (!colours_ || colours_->colouring != colouring) {
    if (!colours_ || colours_->devices) colours_.emplace();
    colours_->colouring = colouring;
    colours_->legend = explain::legend_of(cells_layout().threads(), colouring);
    colours_->raster.set_clear_without_value(true);
    colours_->raster.look_at(cells_layout(), colouring);
  }
  colours_->raster.advance(camera, budget);
  colours_->raster.upload();
}

void Pane::place(const Area& area, float scale) {
  area_ = area;
  scale_ = scale;
  camera.set_picture(pixels_of(area, scale).size);
}

void Pane::request_picture(LifeFrameRequest& request) {
  if (pixels_of(area_, scale_).empty()) return;
  request.resolve = true;
  camera.edges(request.viewport.x_edges, request.viewport.y_edges);
  request.viewport.states = states_of(request.work);
  request.space = presenter.preferred_space();
  requested_field_ = camera.field_rect();
  requested_camera_ = camera;
  stale_ = false;
}

void Pane::complete(LifeFrameRequest& request) {
  if (request.changes()) stale_ = true;
  if (request.replaces_cells()) census.invalidate();
  if ((stale_ || view_changed()) && !image_) request_picture(request);
  request.count_threads = !threads && has_picture_;  // once per method, after its first image
  request.record_devices = needs_device_record();
}

void Pane::begin(const LifeFrameRequest& request) {
  if (request.empty()) return;
  cancelled_ = false;
  if (request.is_pipelined && request.resolve) presenter.map_for_cuda();
  async_engine.begin(request);
}

const LifeFrameOutcome* Pane::finish(TaskTimeout timeout, FrameClock& clock, bool active) {
  const LifeFrameOutcome* const done = async_engine.finish(timeout);
  const LifeFrameRequest& request = async_engine.request();
  const Stage step = active ? Stage::kStep : Stage::kPanesStep;
  const double waited = async_engine.waited_ms();
  const FrameReport frame = done != nullptr ? done->result.frame : FrameReport();
  const double image =
      done != nullptr && done->result.worked && request.resolve ? frame.resolve.milliseconds : 0;
  if (async_engine.in_background() || request.is_pipelined) {
    const bool makes = !request.build && request.cells.is_known() && !request.cells.is_start();
    const bool steps = request.generations > 0 || makes;
    if (steps || request.resolve) {
      const double after = done != nullptr ? done->result.after_ms : 0;
      clock.wait(steps ? step : Stage::kResolve, std::max(0.0, waited - after), image);
    }
  } else if (done != nullptr) {
    if (frame.step.generations > 0) clock.part(step, frame.step.milliseconds);
    if (image > 0) clock.part(Stage::kResolve, image);
  }
  if (done != nullptr && request.is_pipelined && !async_engine.in_background()) {
    if (frame.step.generations > 0)
      clock.add_concurrent(active ? Stage::kGpuStep : Stage::kGpuPanesStep, frame.step.milliseconds);
    if (image > 0) clock.add_concurrent(Stage::kGpuResolve, image);
  }
  if (done != nullptr) take(*done, clock);
  return done;
}

void Pane::take(const LifeFrameOutcome& done, FrameClock& clock) {
  const LifeFrameResult& result = done.result;
  // The sample includes the build, or the recording.
  if (done.request.build || result.devices) clock.discard_sample();
  if (done.failed()) stale_ = true;
  if (done.request.build) {
    if (result.built) return engine_changed();
    if (!done.failed() || (done.cancelled && !cancelled_)) return;
    failed_ = done.request.build;
    problem_ = done.cancelled ? fmt::format("cancelled: level {} of {}", failed_->config.level,
                                            failed_->config.fractal.name())
                              : done.problem;
    return;
  }
  const FrameReport& frame = result.frame;
  if (frame.step.generations > 0) {
    last_step_ = frame.step;
    step_times_.add(frame.step.milliseconds / static_cast<double>(frame.step.generations));
  }
  if (result.worked && done.request.resolve) image_ = frame.image;
  if (result.census) census.take(*result.census, result.census_ms);
  if (result.threads) threads = result.threads;
  if (result.devices) devices = result.devices;
}

void Pane::transfer(FrameClock& clock) {
  if (!image_) return;
  if (const auto copied = presenter.take_copy_milliseconds())
    clock.add_concurrent(Stage::kGpuTransfer, *copied);
  const glm::dvec2 cell = 1.0 / requested_camera_->cells_per_pixel();
  const bool small = std::max(cell.x, cell.y) < render::kLeastCellSide;
  using Cells = render::FieldRenderer::Cells;
  presenter.transfer(*image_, small ? Cells::kSmall : Cells::kAsResolved);
  image_.reset();
  shown_field_ = requested_field_;
  has_picture_ = true;
  clock.lap(Stage::kTransfer);
}

PictureView Pane::view() const {
  return {camera, area_, scale_, theme::is_light(presenter.palette().hole)};
}

void Pane::draw(FrameClock& clock) {
  const render::Rect<int> target = pixels_of(area_, scale_);
  if (target.empty() || !has_picture_) return;
  draw_timer_.begin();
  presenter.draw(target, shown_field_, theme::surroundings(presenter.palette().outside));
  draw_timer_.end();
  const auto gpu = draw_timer_.take();
  if (gpu && !draw_timer_.waits()) clock.add_concurrent(Stage::kGpuPicture, *gpu);
}

void Pane::clear_step_times() {
  step_times_.clear();
  last_step_.reset();
}

void draw_pane_overlay(ImDrawList& list, const Pane& pane, const PaneOverlay& overlay) {
  const Area& area = pane.area();
  if (area.empty()) return;
  list.PushClipRect(area.corner, area.end());
  const PictureView view = pane.view();
  const MapKind map = pane.async_engine->config().method.map;
  pane.draw_colours(list);
  if (overlay.settings.show_ages && overlay.ages != nullptr) draw_ages(list, view, *overlay.ages);
  if (overlay.settings.cell_grid) draw_cell_grid(list, view, pane.space);
  const bool blocks = explain::has_tiles(pane.async_engine->config());
  if (overlay.settings.tile_grid && blocks) draw_tile_grid(list, view, pane.space, map, pane.grid_memory());
  if (overlay.hovered && blocks) {
    const auto here = pane.space.place_at(static_cast<std::int64_t>(overlay.hovered->cell.x),
                                          static_cast<std::int64_t>(overlay.hovered->cell.y));
    if (here) draw_hovered(list, view, pane.space, *here, map);
    // Small cells of a comparison have a ring, so that the same one is found in each pane.
    if (here && overlay.compares && !overlay.explanation.point() && here->is_cell &&
        cell_side(view) < kMinGridSpacing)
      draw_ring(list, view, here->cell);
  }
  const ThreadExplanation& explanation = overlay.explanation;
  // The explanation dates from the beginning of the frame; the engine may have been replaced since.
  const bool of_this =
      explanation.space() != nullptr && explanation.space()->config() == pane.async_engine->config();
  const bool thread = blocks && of_this && explanation.thread();
  // The place in the picture is what λ computes.
  if (thread && !is_hidden(Control::kLambda))
    draw_thread(list, view, pane.cells_layout(), *explanation.thread());
  if (explanation.point() && !thread) draw_ring(list, view, *explanation.point());
  if (overlay.marked) draw_square(list, view, *overlay.marked);
  if (overlay.differs) draw_ring(list, view, *overlay.differs);
  if (overlay.editor != nullptr) overlay.editor->draw(list, view);
  if (overlay.cursor) {
    draw_picture_cursor(list, view.screen(glm::dvec2(overlay.cursor->x, overlay.cursor->y) + 0.5),
                        cell_side(view), view.is_light);
  }
  pane.mouse.draw(list);
  list.PopClipRect();
}

}  // namespace loom::app
