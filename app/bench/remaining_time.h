#pragma once

#include <optional>
#include <vector>

#include "app/bench/sampler.h"
#include "app/bench/sweep.h"

namespace loom::app::bench {

/// Estimates the remaining time of a sweep. The weight of a case is the sampling time expected from its
/// amount of work (threads, pixels) at the speed of earlier cases, within the limits; the ratio of actual
/// times to weights corrects the rest.
class RemainingTime {
 public:
  RemainingTime(const std::vector<Case>& cases, const Sampling& sampling);

  /// Records the next case: `seconds` in total, `median_ms` per round, empty if it was skipped.
  void add(std::optional<double> median_ms, double seconds);
  double seconds() const;

 private:
  double weight(double work) const;

  std::vector<double> work_;  ///< work of a generation (threads) or image (pixels), per case
  Sampling sampling_;
  std::size_t done_ = 0;
  double taken_ = 0;
  double weight_taken_ = 0;
  double ms_per_work_ = 1e-6;  ///< of the last case with enough work to outweigh its launch cost
};

}  // namespace loom::app::bench
