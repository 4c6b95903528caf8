#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "app/bench/results.h"
#include "app/bench/statistics.h"
#include "app/bench/sweep.h"
#include "compute/engine/fractal_engine.h"

namespace loom::app::bench {

/// How long a configuration is sampled, and what it runs.
struct Sampling {
  std::uint32_t max_samples = 100;  ///< at least 1
  double max_seconds = 2;  ///< of samples, and of the warm-up beyond 50 ms; the engine's start is not counted
  double target_noise = 0.01;  ///< relative standard error of the mean that is low enough
  LifeRule rule = {};
  RandomStart start = {};
};

/// The measurement of one configuration, in small steps, so that a window can stay responsive beside it.
/// First the warm-up (at least two generations and 50 ms), which also finds how many generations make a
/// sample of a millisecond; then samples until the noise is low enough or a limit is reached. A first
/// generation that takes longer than the limit is the only sample.
class Measurement {
 public:
  /// Builds and fills the engine. Throws CapacityError where it does not fit in memory, MachineError.
  Measurement(const BenchCase& bench_case, const Sampling& sampling);

  bool finished() const { return finished_; }
  /// Runs one sample, or one step of the warm-up. Only while not finished.
  void advance();
  /// The whole entry. Only when finished.
  Entry entry() const;

 private:
  void warm_up(const StepReport& report);
  void take_sample(const StepReport& report);
  bool out_of_time() const { return elapsed_ms_ >= sampling_.max_seconds * 1000; }

  Entry entry_;
  Work work_;
  Sampling sampling_;
  std::unique_ptr<FractalEngine> engine_;
  std::uint32_t batch_ = 1;  ///< generations of the next call
  std::uint64_t warm_generations_ = 0;
  bool warm_ = false;
  bool finished_ = false;
  bool limited_ = false;
  double elapsed_ms_ = 0;
  std::vector<double> samples_;  ///< milliseconds of one generation
  RunningError error_;
  StepReport last_;
};

/// Measures a case from beginning to end: an entry with its times, or skipped with the reason where memory
/// does not suffice or the combination does not exist. Nothing where `stop`, which is asked between samples,
/// says so.
std::optional<Entry> measure(const BenchCase& bench_case, const Sampling& sampling,
                             const std::function<bool()>& stop);

}  // namespace loom::app::bench
