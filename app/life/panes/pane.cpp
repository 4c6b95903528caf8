#include "app/life/panes/pane.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "app/life/scene/fp16_warning.h"
#include "app/teach/bit_words.h"
#include "app/teach/data_colour.h"

namespace loom::app {
namespace {

/// A picture as large as any driver's texture; a window that claims more shows a part.
constexpr int kMostPixels = 16384;
constexpr double kColourSlice = 6;  ///< milliseconds of a frame

render::Rect to_pixels(const Area& area, float scale) {
  const auto pixels = [&](float length) { return static_cast<int>(std::lround(length * scale)); };
  return {pixels(area.x), pixels(area.y), std::min(pixels(area.width), kMostPixels),
          std::min(pixels(area.height), kMostPixels)};
}

}  // namespace

Pane::Pane(const FractalConfig& config, const BackendSelection& backend, const RandomStart& start,
           const render::GraphicsContext& context)
    : host(config, backend, start), space(host.config()), presenter(context, backend) {
  engine_changed();
}

void Pane::engine_changed() {
  const FractalConfig& config = host.config();
  const bool other_field = camera_fractal_ != config.fractal;
  space = BlockSpace(config);
  wrong_ = why_wrong(config);
  in_bits_ = teach::has_blocks(config) ? std::string() : teach::bits_in_words(config);
  presenter.use_backend(host.backend());
  camera.set_field(space.blocked().width, space.blocked().height);
  if (other_field) camera.fit();
  camera_fractal_ = config.fractal;
  largest_level_ = loom::largest_level(config, bytes_free(host.backend()));
  forget_steps();
  probed.reset();
  threads.reset();
  devices.reset();
  image_.reset();  // it was the old engine's
  colours_.reset();
  model_.reset();
  stale_ = true;
}

const teach::SpaceLayout& Pane::cells_layout() const {
  if (!model_) model_ = std::make_unique<Model>(host.config());
  return model_->cells;
}

void Pane::colour_devices(const teach::Colouring& colouring,
                          std::chrono::duration<double, std::milli> budget) {
  if (!colours_ || !colours_->devices) {
    const BackendSelection& backend = host.backend();
    auto cells = std::make_shared<const teach::DeviceCells>(
        host.config(), static_cast<std::uint32_t>(backend.devices()),
        backend.kind == BackendKind::kCuda ? "device" : "simulated device");
    colours_.emplace();
    colours_->colouring = colouring;
    colours_->legend = teach::legend_of(*cells);
    colours_->devices = std::make_unique<DeviceRaster>();
    colours_->devices->look_at(std::move(cells));
  }
  colours_->devices->advance(camera, budget);
  colours_->devices->upload();
}

void Pane::draw_colours(ImDrawList& list) const {
  if (!colours_) return;
  if (colours_->devices) {
    colours_->devices->draw(list, area_, teach::kColourAlpha);
  } else {
    colours_->raster.draw(list, area_, teach::kColourAlpha);
  }
}

void Pane::colour(const teach::Colouring& colouring, bool waits) {
  const std::chrono::duration<double, std::milli> budget{waits ? 1e9 : kColourSlice};
  if (colouring.by == teach::ColourBy::kDevice && host.backend().devices() > 1)
    return colour_devices(colouring, budget);
  const bool of_another = colouring.by == teach::ColourBy::kWorker &&
                          (!colouring.workers || colouring.workers->config() != host.config());
  const bool by_cells = colouring.by == teach::ColourBy::kState || colouring.by == teach::ColourBy::kDevice;
  if (by_cells || of_another || !teach::has_blocks(host.config())) {
    colours_.reset();
    return;
  }
  if (!colours_ || colours_->colouring != colouring) {
    if (!colours_ || colours_->devices) colours_.emplace();
    colours_->colouring = colouring;
    colours_->legend = teach::legend_of(cells_layout().threads(), colouring);
    colours_->raster.set_clear_without_value(true);
    colours_->raster.look_at(cells_layout(), colouring);
  }
  colours_->raster.advance(camera, budget);
  colours_->raster.upload();
}

void Pane::place(const Area& area, float scale) {
  const render::Rect pixels = to_pixels(area, scale);
  area_ = area;
  scale_ = scale;
  camera.set_picture({pixels.width, pixels.height});
}

void Pane::ask_for_picture(LifeJob& job) {
  const render::Rect target = to_pixels(area_, scale_);
  if (target.width < 1 || target.height < 1) return;
  job.resolve = true;
  camera.edges(job.viewport.x_edges, job.viewport.y_edges);
  job.space = presenter.wanted_space();
  asked_field_ = camera.field_rect();
  asked_camera_ = camera;
  stale_ = false;
}

void Pane::begin(const LifeJob& job, const EngineHost::Turn& turn) {
  if (turn.ahead && job.resolve) presenter.lend();
  host.begin(job, turn);
}

void Pane::take(const LifeDone& done, FrameClock& clock, bool active) {
  const FrameReport& frame = done.frame;
  if (done.ahead) {
    if (frame.step.generations > 0)
      clock.beside(active ? Stage::kGpuStep : Stage::kGpuPanesStep, frame.step.milliseconds);
    if (done.resolved) clock.beside(Stage::kGpuResolve, frame.resolve.milliseconds);
  } else if (!done.beside) {
    if (frame.step.generations > 0)
      clock.part(active ? Stage::kStep : Stage::kPanesStep, frame.step.milliseconds);
    if (done.resolved) clock.part(Stage::kResolve, frame.resolve.milliseconds);
  }
  if (frame.step.generations > 0) add_step(frame.step);
  if (done.resolved) image_ = frame.image;
  if (done.threads) threads = done.threads;
  if (done.devices) devices = done.devices;
}

void Pane::transfer(FrameClock& clock) {
  if (!image_) return;
  if (const auto copied = presenter.take_copy_milliseconds()) clock.beside(Stage::kGpuTransfer, *copied);
  presenter.transfer(*image_);
  image_.reset();
  shown_field_ = asked_field_;
  pictured_ = true;
  clock.lap(Stage::kTransfer);
}

void Pane::draw(FrameClock& clock) {
  const render::Rect target = to_pixels(area_, scale_);
  if (target.width < 1 || target.height < 1 || !pictured_) return;
  draw_timer_.begin();
  presenter.draw(target, shown_field_);
  draw_timer_.end();
  const auto gpu = draw_timer_.take();
  if (gpu && !draw_timer_.waits()) clock.beside(Stage::kGpuPicture, *gpu);
}

void Pane::add_step(const StepReport& step) {
  last_step_ = step;
  if (step.generations == 0) return;
  const double milliseconds = step.milliseconds / static_cast<double>(step.generations);
  if (step_ms_.size() < kStepsKept) {
    step_ms_.push_back(milliseconds);
  } else {
    step_ms_[next_step_] = milliseconds;
  }
  next_step_ = (next_step_ + 1) % kStepsKept;
}

StageFigures Pane::generation_figures() const {
  std::array<double, kStepsKept> copy;
  std::copy(step_ms_.begin(), step_ms_.end(), copy.begin());
  return figures_in_place(std::span(copy).first(step_ms_.size()));
}

void Pane::forget_steps() {
  step_ms_.clear();
  step_ms_.reserve(kStepsKept);
  next_step_ = 0;
  last_step_.reset();
}

}  // namespace loom::app
