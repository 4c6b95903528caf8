#include "app/bench/statistics.h"

#include <algorithm>
#include <cmath>

#include "compute/core/error.h"

namespace loom::app::bench {
namespace {

constexpr std::size_t kMaxSamples = std::size_t{1} << 20;

}  // namespace

void DecimatedSamples::add(double sample) {
  if (seen_++ % stride_ != 0) return;
  if (samples_.size() == kMaxSamples) {
    for (std::size_t i = 0; i < kMaxSamples / 2; ++i) samples_[i] = samples_[2 * i];
    samples_.resize(kMaxSamples / 2);
    stride_ *= 2;
    if ((seen_ - 1) % stride_ != 0) return;
  }
  samples_.push_back(sample);
}

void RunningError::add(double sample) {
  ++count_;
  const double from_old_mean = sample - mean_;
  mean_ += from_old_mean / static_cast<double>(count_);
  squares_ += from_old_mean * (sample - mean_);
}

std::optional<double> RunningError::relative_standard_error() const {
  if (count_ < 2 || mean_ == 0) return std::nullopt;
  const auto count = static_cast<double>(count_);
  const double deviation = std::sqrt(squares_ / (count - 1));
  return deviation / std::sqrt(count) / std::abs(mean_);
}

Summary summarise(std::span<const double> samples) {
  std::vector<double> copy(samples.begin(), samples.end());
  return summarise_in_place(copy);
}

Summary summarise_in_place(std::span<double> sorted) {
  if (sorted.empty()) throw InputError("no samples to summarise; allowed: at least one");
  std::sort(sorted.begin(), sorted.end());
  RunningError error;
  for (double sample : sorted) error.add(sample);
  const std::size_t count = sorted.size();
  const std::size_t rank = (95 * count + 99) / 100;
  return {.median = (sorted[(count - 1) / 2] + sorted[count / 2]) / 2,
          .min = sorted.front(),
          .p95 = sorted[rank - 1],
          .mean = error.mean(),
          .noise = error.relative_standard_error(),
          .samples = count};
}

}  // namespace loom::app::bench
