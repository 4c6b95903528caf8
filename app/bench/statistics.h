#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

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

}  // namespace loom::app::bench
