#include "app/workspaces/solid/scene/solid_runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "compute/backend/engine_factory.h"

namespace loom::app {
namespace {

/// Milliseconds per cell for building an engine and its random start: a rough guess, so that large ones are
/// built in the background.
constexpr double kBuildMs = 2e-4;
/// The same for a generation, before one was timed.
constexpr double kStepMs = 1e-4;

double pixels_of(const SolidView& view) {
  return static_cast<double>(view.width) * view.height;
}

bool needs_engine(const SolidEngine* engine, const BackendSelection& backend, const SolidRequest& request) {
  return engine == nullptr || engine->config() != request.config || !backend.same_device(request.backend);
}

}  // namespace

double SolidRunner::expected_ms(const SolidRequest& request) const {
  const auto cells = static_cast<double>(request.config.fractal.cells(request.config.level));
  const double step = step_.samples > 0 && request.config == config_ ? step_.median : cells * kStepMs;
  double expected = request.generations * step + pixels_of(request.view) * pixel_ms_;
  if (request.restart || request.source != nullptr || needs_engine(engine_.get(), backend_, request))
    expected += cells * kBuildMs;
  for (const SolidRun& run : request.replay) expected += static_cast<double>(run.generations) * step;
  return expected;
}

std::string SolidRunner::activity(const SolidRequest& request) const {
  if (request.config != config_ || !has_cells_)
    return fmt::format("building level {} of {}", request.config.level, request.config.fractal.name());
  if (request.generations == 0 && !request.restart) return {};  // a finer picture is not worth a word
  return "computing";
}

std::string SolidRunner::out_of_memory(const SolidRequest& request) const {
  return fmt::format("out of memory for level {} of {}", request.config.level, request.config.fractal.name());
}

void SolidRunner::build(const SolidRequest& request, SolidFrame& result) {
  auto next = make_fractal_engine(request.config, request.backend);
  const bool same_cells = engine_ && engine_->config().fractal == request.config.fractal &&
                          engine_->config().level == request.config.level;
  if (same_cells && !request.restart) {
    if (request.source == nullptr) transfer_cells(*engine_, *next);
  } else if (request.source == nullptr) {
    next->reset(request.start);
    result.restarted = true;
  }
  engine_ = std::move(next);
  backend_ = request.backend;
  counted_threads_ = engine_->count_threads();
}

bool SolidRunner::begin(const SolidRequest& request, SolidFrame& result) {
  if (needs_engine(engine_.get(), backend_, request)) {
    build(request, result);
  } else if (request.restart) {
    engine_->reset(request.start);
    result.restarted = true;
  }
  if (request.source != nullptr) transfer_cells(*request.source, *engine_);
  const ScopedMonitor monitored(*engine_, monitor_);
  if (result.restarted && request.restart) replay(*engine_, request.replay, monitor_);
  if (!request.edits.empty()) {
    engine_->edit(request.edits);
    result.edited = true;
  }
  last_step_ = {};
  if (request.generations > 0) {
    last_step_ = engine_->run(request.generations, request.work);
    result.generations = static_cast<std::uint32_t>(last_step_.generations);
    result.step = last_step_;
  }
  counted_.reset();
  if (request.count) counted_ = engine_->census();
  if (request.view.width > 0) result.trace = engine_->trace(request.view, request.image_space, result.image);
  return false;
}

void SolidRunner::update(const Outcome& outcome) {
  has_cells_ = engine_ != nullptr;
  if (!has_cells_) return;
  if (config_ != engine_->config()) {
    config_ = engine_->config();
    times_.clear();
    oldest_ = 0;
    step_ = {};
  }
  const std::uint64_t generation = engine_->generation();
  const bool other_cells =
      outcome.result.restarted || outcome.result.edited || outcome.request.source != nullptr;
  if (generation != generation_ || other_cells) census_.reset();
  generation_ = generation;
  if (counted_) census_ = counted_;
  backend_name_ = engine_->backend_name();
  allocated_bytes_ = engine_->allocated_bytes();
  threads_ = counted_threads_;
  if (last_step_.generations > 0) {
    const double time = last_step_.milliseconds / static_cast<double>(last_step_.generations);
    if (times_.size() < kTimesKept) {
      times_.push_back(time);
    } else {
      times_[oldest_] = time;
      oldest_ = (oldest_ + 1) % kTimesKept;
    }
    sorted_ = times_;
    step_ = stats_in_place(sorted_);
    last_step_ = {};
  }
  const double pixels = pixels_of(outcome.request.view);
  if (outcome.result.image.pixels != nullptr && pixels > 0) {
    trace_ms_ = outcome.result.trace.milliseconds;
    pixel_ms_ = trace_ms_ / pixels;
  }
}

const SolidRunner::Outcome* finish_in_frame(AsyncEngine<SolidRunner>& engine, TaskTimeout timeout,
                                            FrameClock& clock, Stage step) {
  const SolidRunner::Outcome* const outcome = engine.finish(timeout);
  const bool steps = engine.request().generations > 0;
  const double image = outcome != nullptr ? outcome->result.trace.milliseconds : 0;
  if (engine.in_background()) {
    clock.wait(steps ? step : Stage::kResolve, engine.waited_ms(), image);
  } else if (outcome != nullptr) {
    if (steps) clock.part(step, outcome->result.step.milliseconds);
    clock.part(Stage::kResolve, image);
  }
  return outcome;
}

}  // namespace loom::app
