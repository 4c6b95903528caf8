#include "app/bench/time_left.h"

#include <algorithm>

#include "compute/engine/work_costs.h"

namespace loom::app::bench {
namespace {

/// Warm-up and samples of the shortest configuration.
constexpr double kLeastSeconds = 0.06;

double threads_of(const BenchCase& bench_case) {
  const FractalConfig& config = bench_case.config;
  const BlockedFractal blocked = make_blocked(config.fractal, config.level, config.block);
  if (!why_not(method_of(config), blocked).empty()) return 0;  // it will be skipped
  return static_cast<double>(work_costs(config, blocked, bench_case.workload, 1).threads_launched);
}

}  // namespace

TimeLeft::TimeLeft(const std::vector<BenchCase>& cases, const Sampling& sampling) : sampling_(sampling) {
  for (const BenchCase& bench_case : cases) threads_.push_back(threads_of(bench_case));
}

double TimeLeft::weight(double threads) const {
  const double sampled = threads * ms_per_thread_ / 1000 * sampling_.max_samples / 2;
  return std::clamp(sampled, kLeastSeconds, std::max(kLeastSeconds, sampling_.max_seconds));
}

void TimeLeft::add(const Entry& entry, double seconds) {
  const double threads = threads_[done_++];
  // Small cases are all launch cost; from here on the threads count.
  constexpr double kManyThreads = 10'000;
  if (entry.measured && threads > kManyThreads)
    ms_per_thread_ = entry.measured->milliseconds.median / threads;
  if (!entry.measured) return;
  taken_ += seconds;
  weight_taken_ += weight(threads);
}

double TimeLeft::seconds() const {
  double left = 0;
  for (std::size_t i = done_; i < threads_.size(); ++i) left += weight(threads_[i]);
  return weight_taken_ > 0 ? left * taken_ / weight_taken_ : left;
}

}  // namespace loom::app::bench
