#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "compute/engine/fractal_engine.h"

namespace loom::app::bench {

/// Statistics of samples, in the unit of the samples.
struct Summary {
  double median = 0;  ///< mean of the middle two for an even number
  double min = 0;
  double p95 = 0;  ///< 95th percentile, nearest rank
  double mean = 0;
  std::optional<double> noise = {};  ///< relative standard error of the mean; a single sample has none
  std::size_t samples = 0;
  friend bool operator==(const Summary&, const Summary&) = default;
};

/// Throws InputError for no samples.
Summary summarise(std::span<const double> samples);

/// The same for samples that may be reordered; allocates nothing.
Summary summarise_in_place(std::span<double> samples);

/// A stream of samples with bounded memory: beyond its capacity it keeps every second, fourth, … one.
class DecimatedSamples {
 public:
  void add(double sample);
  std::span<const double> retained() const { return samples_; }

 private:
  std::vector<double> samples_;
  std::uint64_t seen_ = 0;
  std::uint64_t stride_ = 1;
};

/// Mean and standard error of a stream of samples (Welford's method).
class RunningError {
 public:
  void add(double sample);
  std::size_t count() const { return count_; }
  double mean() const { return mean_; }
  /// Standard error of the mean over the mean; empty with fewer than two samples or a mean of 0.
  std::optional<double> relative_standard_error() const;

 private:
  std::size_t count_ = 0;
  double mean_ = 0;
  double squares_ = 0;  ///< sum of squared differences from the mean
};

/// How a configuration is sampled, and its start.
struct Sampling {
  std::uint32_t max_samples = 100;  ///< at least 1
  /// For samples, and for warm-up beyond 50 ms. Setting up the engine does not count.
  double max_seconds = 2;
  double target_noise = 0.01;  ///< sufficient relative standard error of the mean
  /// Rounds per sample, run in one call; 0: as many as take a millisecond.
  std::uint32_t rounds_per_call = 0;
  /// For cells: time from the call to its end by the steady clock, instead of the engine's clock. Several
  /// devices have no common clock, and a single device compared with them is timed in the same way.
  bool wall_clock = false;
  LifeRule rule = {};      ///< rule of life
  RandomStart start = {};  ///< initial cells
  /// Idle power by sensor in watts, measured once and shared by the configurations of a sweep. Null: energy
  /// is not measured.
  std::shared_ptr<std::map<std::string, double>> idle_watts = {};
  void measure_energy() { idle_watts = std::make_shared<std::map<std::string, double>>(); }
  /// Settings for cells that several devices or processes share, and for everything compared with them: wall
  /// clock, and the same number of rounds per sample. Bit storage runs several generations per launch if
  /// several are requested, so a larger number would be another method.
  void use_distributed_timing() {
    wall_clock = true;
    if (rounds_per_call == 0) rounds_per_call = kDistributedRoundsPerCall;
  }
  static constexpr std::uint32_t kDistributedRoundsPerCall = 16;
};

/// Decides what a configuration runs next, and when it is finished. A round is a generation of cells or an
/// image. Warm-up first (at least two rounds and 50 ms), which finds the number of rounds that take a
/// millisecond; then samples until the noise is low enough or a limit is reached. A first round that exceeds
/// the time limit is the only sample.
class Sampler {
 public:
  static constexpr std::uint32_t kLargestBatch = 1u << 16;

  /// `largest_batch` is the largest number of rounds per sample.
  explicit Sampler(const Sampling& sampling, std::uint32_t largest_batch = kLargestBatch);

  /// Rounds of the next call.
  std::uint32_t batch() const { return batch_; }
  /// `rounds` took `milliseconds` by the engine's clock and `elapsed_ms` by the wall clock. Returns true if
  /// this was a sample, false for warm-up.
  bool add(double milliseconds, std::uint64_t rounds, double elapsed_ms);

  bool finished() const { return finished_; }
  /// Whether a limit ended the sampling before the noise was low enough.
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
