#include "app/shell/frame_times.h"

#include <algorithm>

#include "app/bench/statistics.h"

namespace loom::app {

std::string_view name_of(Stage stage) {
  static constexpr std::array<std::string_view, kStageCount> kNames = {"step", "resolve", "transfer",
                                                                       "draw", "panels",  "frame"};
  return kNames[static_cast<std::size_t>(stage)];
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

StageFigures FrameTimes::figures(Stage stage) const {
  std::vector<double> milliseconds;
  milliseconds.reserve(size_);
  for (std::size_t i = 0; i < size_; ++i) {
    if (const auto& value = sample(i)[stage]) milliseconds.push_back(*value);
  }
  return figures_of(milliseconds);
}

StageFigures FrameTimes::generation_figures() const {
  std::vector<double> milliseconds;
  milliseconds.reserve(size_);
  for (std::size_t i = 0; i < size_; ++i) {
    const FrameSample& frame = sample(i);
    if (const auto& step = frame[Stage::kStep]; step && frame.generations > 0) {
      milliseconds.push_back(*step / static_cast<double>(frame.generations));
    }
  }
  return figures_of(milliseconds);
}

StageFigures figures_of(std::span<const double> milliseconds) {
  if (milliseconds.empty()) return {};
  const bench::Summary summary = bench::summarise(milliseconds);
  return {summary.mean, summary.median, summary.p95, summary.samples};
}

}  // namespace loom::app
