#include "app/bench/sampler.h"

#include <algorithm>
#include <cmath>

#include "compute/core/error.h"

namespace loom::app::bench {
namespace {

constexpr double kWarmUpMs = 50;
constexpr std::uint64_t kWarmUpRounds = 2;
/// Noise of the clock, and on a GPU of the events around the launches, would dominate shorter samples.
constexpr double kShortestSampleMs = 1;
/// With fewer samples, the estimate of the error is unreliable.
constexpr std::size_t kMinSamples = 10;

}  // namespace

Sampler::Sampler(const Sampling& sampling, std::uint32_t largest_batch)
    : sampling_(sampling), largest_batch_(largest_batch) {
  if (sampling_.rounds_per_call > 0)
    batch_ = largest_batch_ = std::min(sampling_.rounds_per_call, largest_batch);
}

bool Sampler::add(double milliseconds, std::uint64_t rounds, double elapsed_ms) {
  elapsed_ms_ += elapsed_ms;
  const std::size_t before = samples_.size();
  warm_ ? take_sample(milliseconds, rounds) : warm_up(milliseconds, rounds);
  return samples_.size() > before;
}

void Sampler::warm_up(double milliseconds, std::uint64_t rounds) {
  const bool is_first = warm_rounds_ == 0;
  warm_rounds_ += rounds;
  if (is_first && out_of_time()) {
    warm_ = true;
    take_sample(milliseconds, rounds);
    return;
  }
  const bool long_enough = milliseconds >= kShortestSampleMs || batch_ >= largest_batch_;
  if (!long_enough) batch_ *= 2;
  warm_ = long_enough && warm_rounds_ >= kWarmUpRounds && elapsed_ms_ >= kWarmUpMs;
  // The minimum warm-up does not count against the time limit; the part beyond it does.
  if (warm_) elapsed_ms_ -= kWarmUpMs;
}

void Sampler::take_sample(double milliseconds, std::uint64_t rounds) {
  samples_.push_back(milliseconds / static_cast<double>(rounds));
  error_.add(samples_.back());
  const auto noise = error_.relative_standard_error();
  const bool quiet = samples_.size() >= kMinSamples && noise && *noise < sampling_.target_noise;
  limited_ = !quiet && (samples_.size() >= sampling_.max_samples || out_of_time());
  finished_ = quiet || limited_;
}

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
