#pragma once

#include <optional>
#include <vector>

#include "app/bench/sampler.h"
#include "app/bench/sweep.h"

namespace loom::app::bench {

/// Guesses how long the rest of a sweep takes. A case's weight is the sampling time that its amount
/// of work (threads, pixels) leads to at the speed of the cases before, within the limits; what the cases
/// took against their weights corrects the rest.
class TimeLeft {
 public:
  TimeLeft(const std::vector<Case>& cases, const Sampling& sampling);

  /// The next case took `seconds`; a round of it took `median_ms`, none where it was skipped.
  void add(std::optional<double> median_ms, double seconds);
  double seconds() const;

 private:
  double weight(double work) const;

  std::vector<double> work_;  ///< of a generation (threads) or of an image (pixels), by case
  Sampling sampling_;
  std::size_t done_ = 0;
  double taken_ = 0;
  double weight_taken_ = 0;
  double ms_per_work_ = 1e-6;  ///< of the most costly case yet
};

}  // namespace loom::app::bench
