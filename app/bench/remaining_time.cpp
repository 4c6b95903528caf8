#include "app/bench/remaining_time.h"

#include <algorithm>

#include "app/bench/cell_config.h"

namespace loom::app::bench {
namespace {

/// Seconds for warm-up and samples of the shortest configuration.
constexpr double kMinSeconds = 0.06;

template <typename Config>
double work_of(const CellCase<Config>& one) {
  const auto fractal = tiled(one.config);
  if (!problem_of(one.config.method, fractal).empty()) return 0;  // it will be skipped
  return threads_of(one.config.method, fractal) / one.devices;
}

double work_of(const MandelbrotCase& one) {
  return static_cast<double>(one.view.pixels());
}

}  // namespace

RemainingTime::RemainingTime(const std::vector<Case>& cases, const Sampling& sampling) : sampling_(sampling) {
  for (const Case& one : cases) {
    work_.push_back(std::visit([](const auto& of_kind) { return work_of(of_kind); }, one));
  }
}

double RemainingTime::weight(double work) const {
  const double sampled = work * ms_per_work_ / 1000 * sampling_.max_samples / 2;
  return std::clamp(sampled, kMinSeconds, std::max(kMinSeconds, sampling_.max_seconds));
}

void RemainingTime::add(std::optional<double> median_ms, double seconds) {
  const double work = work_[done_++];
  if (!median_ms) return;
  // Launch cost dominates cases with less work.
  constexpr double kMuchWork = 10'000;
  if (work > kMuchWork) ms_per_work_ = *median_ms / work;
  taken_ += seconds;
  weight_taken_ += weight(work);
}

double RemainingTime::seconds() const {
  double left = 0;
  for (std::size_t i = done_; i < work_.size(); ++i) left += weight(work_[i]);
  return weight_taken_ > 0 ? left * taken_ / weight_taken_ : left;
}

}  // namespace loom::app::bench
