#include "app/workspaces/solid/panes/ray_pane.h"

#include <fmt/format.h>

#include <utility>

#include "compute/backend/engine_factory.h"
#include "compute/core/stopwatch.h"

namespace loom::app {
namespace {

/// Milliseconds per cell for building an engine and its random start: a rough guess, so that large ones are
/// built in the background.
constexpr double kBuildMs = 2e-4;
/// The same for a generation, before one was timed.
constexpr double kStepMs = 1e-4;

double pixels_of(const RayRequest& request) {
  const glm::dvec2 size(request.size);
  return size.x * size.y / (request.divisor * request.divisor);
}

}  // namespace

bool RayEngine::needs_engine(const RayRequest& request) const {
  return !has_engine_ || config_ != request.config || !backend_.same_device(request.backend);
}

double RayEngine::expected_ms(const RayRequest& request) const {
  const auto cells = static_cast<double>(request.config.fractal.cells(request.config.level));
  const StageStats timed = step();
  const double step = timed.samples > 0 && request.config == config_ ? timed.median : cells * kStepMs;
  double expected = pixels_of(request) * pixel_ms_;
  if (request.source != nullptr || needs_engine(request)) expected += cells * kBuildMs;
  if (request.source != nullptr) return expected;
  const CellSourceOf<3> made = has_engine_ && request.same_field(config_) ? cells_ : CellSourceOf<3>();
  const std::uint64_t left = generations_to_make(made, request.cells);
  if (!made.generations_to(request.cells)) expected += cells * kBuildMs;
  return expected + static_cast<double>(left) * step;
}

std::string RayEngine::activity(const RayRequest& request) const {
  if (request.config != config_ || !has_engine_)
    return fmt::format("building level {} of {}", request.config.level, request.config.fractal.name());
  if (cells_ == request.cells) return {};  // a finer picture is not worth a word
  return "computing";
}

const std::string& RayEngine::out_of_memory(const RayRequest& request) {
  if (out_of_memory_.empty() || !request.same_field(out_of_memory_of_)) {
    out_of_memory_of_ = request.config;
    out_of_memory_ =
        fmt::format("out of memory for level {} of {}", request.config.level, request.config.fractal.name());
  }
  return out_of_memory_;
}

// The previous engine and its cells stay until the next one is complete.
void RayEngine::build(const RayRequest& request) {
  auto next = make_fractal_engine(request.config, request.backend);
  const bool takes_cells =
      engine_ && made_.is_known() && request.source == nullptr && request.same_field(engine_->config());
  if (takes_cells) transfer_cells(*engine_, *next);
  const ThreadCount counted = next->count_threads();
  check_cancel(monitor_);
  if (!takes_cells) made_ = {};
  engine_ = std::move(next);
  backend_ = request.backend;
  counted_threads_ = counted;
}

bool RayEngine::begin(const RayRequest& request, RayResult& result) {
  counted_.reset();
  if (needs_engine(request)) build(request);
  const ScopedMonitor monitored(*engine_, monitor_);
  if (request.source != nullptr) {
    made_ = {};
    transfer_cells(*request.source, *engine_);
    made_ = request.cells;
  } else {
    const bool goes_on = made_.generations_to(request.cells).has_value();
    const StepReport steps = make_cells(*engine_, made_, request.cells, monitor_);
    if (goes_on) result.generations = steps.generations;
    result.step_milliseconds = steps.milliseconds;
  }
  if (request.count) {
    const Stopwatch stopwatch;
    counted_ = engine_->census();
    counted_ms_ = stopwatch.milliseconds();
  }
  if (request.size.x > 0) result.trace = engine_->trace(request.view(), request.image_space, result.image);
  return false;
}

void RayEngine::update(const Outcome& outcome) {
  has_engine_ = engine_ != nullptr;
  if (!has_engine_) return;
  if (config_ != engine_->config()) {
    config_ = engine_->config();
    step_times_.clear();
  }
  // Generations that follow leave the last count, edits and other cells do not.
  if (cells_ != made_ && cells_.generations_to(made_).value_or(0) == 0) census_.invalidate();
  cells_ = made_;
  generation_ = engine_->generation();
  if (counted_) census_.take({*counted_, generation_, {}}, counted_ms_);
  backend_name_ = engine_->backend_name();
  allocated_bytes_ = engine_->allocated_bytes();
  threads_ = counted_threads_;
  if (outcome.result.generations > 0) {
    step_times_.add(outcome.result.step_milliseconds / static_cast<double>(outcome.result.generations));
  }
  if (outcome.result.image.pixels != nullptr) {
    trace_ms_ = outcome.result.trace.milliseconds;
    pixel_ms_ = trace_ms_ / pixels_of(outcome.request);
  }
}

bool RayPane::has_cells_of(const RayRequest& wanted) const {
  return engine_->has_engine() && engine_->config() == wanted.config && engine_->cells() == wanted.cells;
}

bool RayPane::shows(const RayRequest& wanted, bool full) const {
  return shown_ && (!full || shown_->divisor == 1) && shown_->size == wanted.size &&
         shown_->camera == wanted.camera && shown_->look == wanted.look && shown_->config == wanted.config &&
         shown_->cells == wanted.cells;
}

std::string_view RayPane::problem_of(const RayRequest& wanted) const {
  const bool same_engine = failed_.config == wanted.config && failed_.backend.same_device(wanted.backend);
  const bool failed =
      !problem_.empty() && same_engine &&
      (engine_->config() != wanted.config || (failed_.size == wanted.size && failed_.cells == wanted.cells));
  return failed ? std::string_view(problem_) : std::string_view();
}

bool RayPane::is_done(const RayRequest& wanted) const {
  if (!problem_of(wanted).empty()) return true;
  return has_cells_of(wanted) && shows(wanted, wanted.divisor == 1) && (!wanted.count || engine_->census());
}

const RayEngine::Outcome* RayPane::follow(const RayRequest& wanted, TaskTimeout timeout, FrameClock& clock,
                                          Stage stage) {
  if (problem_of(wanted).empty()) problem_.clear();  // it may be tried again once it is selected again
  if (!busy()) return nullptr;
  const RayRequest& running = engine_.request();
  const bool only_finer = running.divisor == 1 && divisor() > 1 && has_cells_of(running);
  if (only_finer && !shows(wanted, false)) engine_.cancel();
  return finish(timeout, clock, stage);
}

const RayEngine::Outcome* RayPane::advance(const RayRequest& wanted, RayPane* source, TaskTimeout timeout,
                                           FrameClock& clock, Stage stage) {
  if (busy() || is_done(wanted)) return nullptr;
  request_ = wanted;
  request_.image_space =
      presenter_.is_for(wanted.backend) ? presenter_.preferred_space() : MemorySpace::kHost;
  if (source != nullptr && !has_cells_of(wanted)) {
    const bool own = engine_->has_engine() && engine_->config() == wanted.config;
    const CellSourceOf<3>& made = engine_->cells();
    if (!own || (!made.patch_to(wanted.cells) && made.generations_to(wanted.cells).value_or(2) > 1))
      request_.source = &source->engine();
  }
  engine_.begin(request_);
  return finish(timeout, clock, stage);
}

const RayEngine::Outcome* RayPane::finish(TaskTimeout timeout, FrameClock& clock, Stage stage) {
  const RayEngine::Outcome* const outcome = engine_.finish(timeout);
  const double image = outcome != nullptr ? outcome->result.trace.milliseconds : 0;
  if (engine_.in_background()) {
    const bool steps =
        outcome == nullptr ? !has_cells_of(engine_.request()) : outcome->result.generations > 0;
    clock.wait(steps ? stage : Stage::kResolve, engine_.waited_ms(), image);
  } else if (outcome != nullptr) {
    if (outcome->result.generations > 0) clock.part(stage, outcome->result.step_milliseconds);
    clock.part(Stage::kResolve, image);
  }
  if (outcome != nullptr) accept(*outcome, clock);
  return outcome;
}

void RayPane::accept(const RayEngine::Outcome& outcome, FrameClock& clock) {
  const RayRequest& request = outcome.request;
  problem_ = outcome.problem;
  if (outcome.cancelled && engine_->config() != request.config)
    problem_ = fmt::format("cancelled: level {} of {}", request.config.level, request.config.fractal.name());
  if (!problem_.empty()) failed_ = request;
  const SolidImage& image = outcome.result.image;
  if (image.pixels == nullptr || outcome.cancelled || !problem_.empty()) return;
  const Stopwatch stopwatch;
  presenter_.use_backend(request.backend);
  presenter_.transfer({.pixels = image.pixels,
                       .format = PixelFormat::kSolid32,
                       .width = image.width,
                       .height = image.height,
                       .row_bytes = static_cast<std::size_t>(image.width) * sizeof(std::uint32_t),
                       .stream = image.stream});
  shown_ = request;
  clock.part(Stage::kTransfer, stopwatch.milliseconds());
}

}  // namespace loom::app
