#include "app/shell/frame_times.h"

#include <algorithm>

#include "app/bench/statistics.h"

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

void FrameClock::part(Stage stage, double milliseconds) {
  parts_[stage] = parts_[stage].value_or(0) + milliseconds;
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

StageStats stats_of(std::span<const double> milliseconds) {
  std::vector<double> copy(milliseconds.begin(), milliseconds.end());
  return stats_in_place(copy);
}

StageStats stats_in_place(std::span<double> milliseconds) {
  if (milliseconds.empty()) return {};
  const bench::Summary summary = bench::summarise_in_place(milliseconds);
  return {summary.mean, summary.median, summary.p95, summary.samples};
}

}  // namespace loom::app
