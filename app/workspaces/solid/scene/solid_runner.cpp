#include "app/workspaces/solid/scene/solid_runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "compute/backend/solid_factory.h"

namespace loom::app {
namespace {

/// Milliseconds per cell for building an engine and its random start: a rough guess, so that large ones are
/// built in the background.
constexpr double kBuildMs = 2e-4;

double pixels_of(const SolidView& view) {
  return static_cast<double>(view.width) * view.height;
}

bool needs_engine(const SolidEngine* engine, const BackendSelection& backend, const SolidRequest& request) {
  return engine == nullptr || engine->config() != request.config || !backend.same_device(request.backend);
}

}  // namespace

double SolidRunner::expected_ms(const SolidRequest& request) const {
  double expected = request.generations * step_ms_ + pixels_of(request.view) * pixel_ms_;
  const auto cells = static_cast<double>(request.config.fractal.cells(request.config.level));
  if (request.restart || needs_engine(engine_.get(), backend_, request)) expected += cells * kBuildMs;
  for (const SolidRun& run : request.replay) expected += static_cast<double>(run.generations) * cells * 1e-4;
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
  auto next = make_solid_engine(request.config, request.backend);
  const bool same_cells = engine_ && engine_->config().fractal == request.config.fractal &&
                          engine_->config().level == request.config.level;
  if (same_cells && !request.restart) {
    transfer_cells(*engine_, *next);
  } else {
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
  const ScopedMonitor monitored(*engine_, monitor_);
  if (result.restarted && request.restart) {
    for (const SolidRun& run : request.replay) {
      for (std::uint64_t left = run.generations; left > 0;) {
        const auto times = static_cast<std::uint32_t>(std::min<std::uint64_t>(left, 64));
        engine_->run(times, {.rule = run.rule});
        check_cancel(monitor_);
        left -= times;
      }
    }
  }
  last_step_ = {};
  if (request.generations > 0) {
    last_step_ = engine_->run(request.generations, request.work);
    result.generations = static_cast<std::uint32_t>(last_step_.generations);
  }
  counted_.reset();
  if (request.count) counted_ = engine_->census().population;
  if (request.view.width > 0) result.trace = engine_->trace(request.view, result.image);
  return false;
}

void SolidRunner::update(const Outcome& outcome) {
  has_cells_ = engine_ != nullptr;
  if (!has_cells_) return;
  if (config_ != engine_->config()) {
    config_ = engine_->config();
    step_ms_ = 0;
  }
  const std::uint64_t generation = engine_->generation();
  if (generation != generation_ || outcome.result.restarted) population_.reset();
  generation_ = generation;
  if (counted_) population_ = counted_;
  backend_name_ = engine_->backend_name();
  allocated_bytes_ = engine_->allocated_bytes();
  threads_ = counted_threads_;
  if (last_step_.generations > 0)
    step_ms_ = last_step_.milliseconds / static_cast<double>(last_step_.generations);
  const double pixels = pixels_of(outcome.request.view);
  if (outcome.result.image.pixels != nullptr && pixels > 0) {
    trace_ms_ = outcome.result.trace.milliseconds;
    pixel_ms_ = trace_ms_ / pixels;
  }
}

}  // namespace loom::app
