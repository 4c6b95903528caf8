#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "app/bench/statistics.h"
#include "compute/engine/fractal_engine.h"

namespace loom::app::bench {

/// How long a configuration is sampled, and what it runs.
struct Sampling {
  std::uint32_t max_samples = 100;  ///< at least 1
  double max_seconds = 2;  ///< of samples, and of the warm-up beyond 50 ms; the engine's start is not counted
  double target_noise = 0.01;  ///< relative standard error of the mean that is low enough
  /// Rounds that are asked for at once and timed together; 0: as many as take a millisecond.
  std::uint32_t at_once = 0;
  /// Of cells: from the call of a generation to its end, by the steady clock, instead of the engine's own
  /// time. Several devices have no clock in common, and one beside them is timed as they are.
  bool wall_clock = false;
  LifeRule rule = {};      ///< of life
  RandomStart start = {};  ///< of the cells
  /// For cells that several devices or processes share, and whatever is compared with them: by the clock on
  /// the wall, and as many at once for each. Bits take several generations a launch where several are asked
  /// for, so that one that is sampled in larger batches would be compared by another method.
  void time_as_shared() {
    wall_clock = true;
    if (at_once == 0) at_once = kSharedAtOnce;
  }
  static constexpr std::uint32_t kSharedAtOnce = 16;
};

/// Decides what a configuration runs next and when it has run enough, whatever it is that runs ("rounds":
/// generations of cells, whole images). First the warm-up (at least two rounds and 50 ms), which also finds
/// how many rounds make a sample of a millisecond; then samples until the noise is low enough or a limit is
/// reached. A first round that takes longer than the limit is the only sample.
class Sampler {
 public:
  static constexpr std::uint32_t kLargestBatch = 1u << 16;

  /// `largest_batch`: rounds of a sample at most.
  explicit Sampler(const Sampling& sampling, std::uint32_t largest_batch = kLargestBatch);

  /// Rounds of the next call.
  std::uint32_t batch() const { return batch_; }
  /// `rounds` took `milliseconds` by the engine's clock and `elapsed_ms` by the clock on the wall. True where
  /// that was a sample and not warm-up.
  bool add(double milliseconds, std::uint64_t rounds, double elapsed_ms);

  bool finished() const { return finished_; }
  /// A limit ended the sampling before the noise was low enough.
  bool limited() const { return limited_; }
  /// Milliseconds of one round. Throws InputError before the first sample.
  Summary summary() const { return summarise(samples_); }

 private:
  void warm_up(double milliseconds, std::uint64_t rounds);
  void take_sample(double milliseconds, std::uint64_t rounds);
  bool out_of_time() const { return elapsed_ms_ >= sampling_.max_seconds * 1000; }

  Sampling sampling_;
  std::uint32_t largest_batch_;
  std::uint32_t batch_ = 1;
  std::uint64_t warm_rounds_ = 0;
  bool warm_ = false;
  bool finished_ = false;
  bool limited_ = false;
  double elapsed_ms_ = 0;
  std::vector<double> samples_;
  RunningError error_;
};

}  // namespace loom::app::bench
