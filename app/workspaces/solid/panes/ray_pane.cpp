#include "app/workspaces/solid/panes/ray_pane.h"

#include <fmt/format.h>
#include <imgui.h>

#include <cmath>
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
  const CellSourceOf<3> made =
      has_engine_ && is_same_field(request.config, config_) ? cells_ : CellSourceOf<3>();
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
  if (out_of_memory_.empty() || !is_same_field(request.config, out_of_memory_of_)) {
    out_of_memory_of_ = request.config;
    out_of_memory_ =
        fmt::format("out of memory for level {} of {}", request.config.level, request.config.fractal.name());
  }
  return out_of_memory_;
}

// The previous engine and its cells stay until the next one is complete.
void RayEngine::build(const RayRequest& request) {
  auto next = make_fractal_engine(request.config, request.backend);
  const bool takes_cells = engine_ && made_.is_known() && request.source == nullptr &&
                           is_same_field(request.config, engine_->config());
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
  if (request.size.x > 0) {
    result.trace_milliseconds =
        engine_->trace(request.view(), request.image_space, result.image).milliseconds;
  }
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
    trace_ms_ = outcome.result.trace_milliseconds;
    pixel_ms_ = trace_ms_ / pixels_of(outcome.request);
  }
}

std::string RayEngine::problem_of_cancelled(const RayRequest& request) const {
  if (config_ == request.config) return {};
  return fmt::format("cancelled: level {} of {}", request.config.level, request.config.fractal.name());
}

void CameraMouse::update(SolidCamera& camera, const Area& area, glm::ivec2 picture, float scale, bool over,
                         bool zooms) {
  const ImGuiIO& io = ImGui::GetIO();
  clicked_ = false;
  if (const auto zoom = wheel_.advance(over && zooms)) {
    camera.zoom(static_cast<float>(zoom->factor), (zoom->at - area.corner) * scale, picture);
  }
  if (button_ >= 0) {
    const glm::vec2 before = dragged_;
    const glm::vec2 delta(io.MouseDelta);
    way_ += std::abs(delta.x) + std::abs(delta.y);
    // The first units may belong to a click.
    if (way_ >= kClickWay)
      dragged_ += delta + (before == glm::vec2(0) ? held_ : glm::vec2(0));
    else
      held_ += delta;
    const glm::vec2 moved = (dragged_ - before) * scale;
    if (pans_) {
      camera.pan(moved, picture);
    } else if (moved.x != 0 || moved.y != 0) {
      camera.orbit(moved / static_cast<float>(picture.y));
    }
    if (!ImGui::IsMouseDown(button_)) {
      clicked_ = button_ == ImGuiMouseButton_Left && way_ < kClickWay && over;
      button_ = -1;
    }
    return;
  }
  if (!over) return;
  for (const int button : {ImGuiMouseButton_Left, ImGuiMouseButton_Middle, ImGuiMouseButton_Right}) {
    if (!ImGui::IsMouseClicked(button)) continue;
    button_ = button;
    pans_ = button != ImGuiMouseButton_Left || io.KeyShift;
    way_ = 0;
    held_ = dragged_ = glm::vec2(0);
    return;
  }
}

}  // namespace loom::app
