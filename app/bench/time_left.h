#pragma once

#include <vector>

#include "app/bench/measurement.h"
#include "app/bench/sweep.h"

namespace loom::app::bench {

/// Guesses how long the rest of a sweep takes. A case's weight is the sampling time that its number of
/// threads leads to at the speed of the cases before, within the limits; what the cases took against their
/// weights corrects the rest.
class TimeLeft {
 public:
  TimeLeft(const std::vector<BenchCase>& cases, const Sampling& sampling);

  /// The next case took `seconds`, and `entry` came out.
  void add(const Entry& entry, double seconds);
  double seconds() const;

 private:
  double weight(double threads) const;

  std::vector<double> threads_;  ///< a generation's, by case
  Sampling sampling_;
  std::size_t done_ = 0;
  double taken_ = 0;
  double weight_taken_ = 0;
  double ms_per_thread_ = 1e-6;  ///< of the most costly case yet
};

}  // namespace loom::app::bench
