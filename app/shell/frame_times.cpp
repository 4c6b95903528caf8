#include "app/shell/frame_times.h"

#include <GLFW/glfw3.h>
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/bench/sampler.h"
#include "app/shell/stage_plot.h"

namespace loom::app {

std::string_view name_of(Stage stage) {
  static constexpr std::array<std::string_view, kStageCount> kNames = {
      "step",       "other panes",  "resolve",  "transfer",        "draw",
      "panels",     "present",      "other",    "frame",           "gpu picture",
      "gpu panels", "gpu transfer", "gpu step", "gpu other panes", "gpu resolve"};
  return kNames[static_cast<std::size_t>(stage)];
}

void FrameClock::add(Stage stage, double milliseconds) {
  sample_[stage] = sample_[stage].value_or(0) + milliseconds;
}

std::optional<FrameSample> FrameClock::begin(Clock::time_point now) {
  std::optional<FrameSample> ended;
  if (running_) {
    lap(Stage::kPresent, now);
    const double whole = std::chrono::duration<double, std::milli>(now - begin_).count();
    double sum = 0;
    for (const Stage stage : kFrameParts) sum += sample_[stage].value_or(0);
    add(Stage::kOther, std::max(0.0, whole - sum));
    sample_[Stage::kFrame] = whole;
    if (valid_) ended = sample_;
  }
  sample_ = {};
  parts_ = {};
  running_ = valid_ = true;
  begin_ = last_ = now;
  return ended;
}

void FrameClock::lap(Stage stage, Clock::time_point now) {
  double left = std::chrono::duration<double, std::milli>(now - last_).count();
  for (const Stage measured : kFrameParts) {
    const double part = std::min(left, parts_[measured].value_or(0));
    if (parts_[measured]) add(measured, part);
    left -= part;
  }
  add(stage, left);
  parts_ = {};
  last_ = now;
}

void FrameClock::wait(Stage stage, double milliseconds, double image) {
  image = std::min(image, milliseconds);
  if (image > 0) part(Stage::kResolve, image);
  if (milliseconds > image) part(stage, milliseconds - image);
}

void FrameTimes::add(const FrameSample& sample) {
  if (paused_) return;
  samples_[next_] = sample;
  next_ = (next_ + 1) % kWindow;
  size_ = std::min(size_ + 1, kWindow);
}

void FrameTimes::reset() {
  next_ = 0;
  size_ = 0;
}

const FrameSample& FrameTimes::sample(std::size_t index) const {
  return samples_[(next_ + kWindow - size_ + index) % kWindow];
}

StageStats FrameTimes::stats(Stage stage) const {
  std::array<double, kWindow> milliseconds;
  std::size_t count = 0;
  for (std::size_t i = 0; i < size_; ++i) {
    if (const auto& value = sample(i)[stage]) milliseconds[count++] = *value;
  }
  return stats_in_place(std::span(milliseconds).first(count));
}

double FrameTimes::mean(Stage stage) const {
  double sum = 0;
  for (std::size_t i = 0; i < size_; ++i) sum += sample(i)[stage].value_or(0);
  return size_ > 0 ? sum / static_cast<double>(size_) : 0;
}

StageStats stats_in_place(std::span<double> milliseconds) {
  if (milliseconds.empty()) return {};
  const bench::Summary summary = bench::summarise_in_place(milliseconds);
  return {summary.mean, summary.median, summary.p95, summary.samples};
}

StageStats StepTimes::stats() const {
  std::array<double, std::tuple_size_v<decltype(times_)>> copy = times_;
  return stats_in_place(std::span(copy).first(std::min(count_, copy.size())));
}

void FrameRate::skip() {
  begin_ = {};
  frames_ = 0;
}

void FrameRate::count(Clock::time_point now) {
  if (begin_ == Clock::time_point{}) {
    begin_ = now;
    return;
  }
  ++frames_;
  const double seconds = std::chrono::duration<double>(now - begin_).count();
  if (seconds < 0.5 && settled_) return;
  frames_per_second_ = frames_ / seconds;
  if (seconds < 0.5) return;  // provisional value during the first half second
  settled_ = true;
  frames_ = 0;
  begin_ = now;
}

namespace {

// With vertical sync, a frame may arrive slightly before its period has elapsed on this clock. A frame at or
// above this fraction of the period counts as on time, so that no second period is waited.
constexpr double kOnTime = 0.8;

// Wait while idle. Anything that changes without an event, such as a text cursor, is up to this much late.
constexpr double kIdleSeconds = 0.1;

double refresh_rate() {
  GLFWmonitor* monitor = glfwGetPrimaryMonitor();
  const GLFWvidmode* mode = monitor != nullptr ? glfwGetVideoMode(monitor) : nullptr;
  return mode != nullptr && mode->refreshRate >= 20 ? mode->refreshRate : 60;
}

}  // namespace

FramePacer::FramePacer() : period_(1 / refresh_rate()), last_(Clock::now()) {}

void FramePacer::wait_events(bool is_idle) {
  if (is_idle) {
    glfwWaitEventsTimeout(kIdleSeconds);
    last_ = Clock::now();
    return;
  }
  const Clock::time_point due = last_ + std::chrono::duration_cast<Clock::duration>(period_);
  glfwPollEvents();
  auto now = Clock::now();
  if (now - last_ < kOnTime * period_) {
    // An event ends the wait early, but the next frame still starts when the period has elapsed.
    while ((now = Clock::now()) < due)
      glfwWaitEventsTimeout(std::chrono::duration<double>(due - now).count());
  }
  last_ = now;
}

nlohmann::ordered_json timing_json(const FrameTimes& times) {
  auto json = nlohmann::ordered_json::object();
  for (const Stage stage : kStages) {
    const StageStats stats = times.stats(stage);
    auto& entry = json["stages"][std::string(name_of(stage))];
    entry = {{"median", nullptr}, {"p95", nullptr}, {"mean", nullptr}};
    if (stats.samples > 0) {
      entry = {{"median", stats.median}, {"p95", stats.p95}, {"mean", times.mean(stage)}};
    }
  }
  json["window_frames"] = times.size();
  const StageStats frame = times.stats(Stage::kFrame);
  json["fps"] = nullptr;
  if (frame.samples > 0) json["fps"] = 1000 / frame.mean;
  return json;
}

std::string timing_table(const FrameTimes& times) {
  std::string text = fmt::format("{:<18}{:>12}{:>12}\n", "stage", "median ms", "p95 ms");
  for (const Stage stage : kStages) {
    const StageStats stats = times.stats(stage);
    const char* const name = label_of(stage, times);
    text += stats.samples > 0 ? fmt::format("{:<18}{:>12.3f}{:>12.3f}\n", name, stats.median, stats.p95)
                              : fmt::format("{:<18}{:>12}{:>12}\n", name, "-", "-");
  }
  const StageStats frame = times.stats(Stage::kFrame);
  if (frame.samples > 0) {
    text +=
        fmt::format("{:.1f} frames per second over the last {} frames\n", 1000 / frame.mean, frame.samples);
  }
  return text;
}

}  // namespace loom::app
