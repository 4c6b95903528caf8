#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "app/life/scene/population.h"
#include "compute/workload/workload.h"

namespace loom::app {

/// Detects cycles from censuses and records the population over time. Two states are considered equal if
/// population and hash agree; agreement after another period confirms the cycle. Allocates nothing.
class LifeCourse {
 public:
  struct Sample {
    std::uint64_t generation = 0;
    std::uint64_t population = 0;
    std::uint64_t hash = 0;
  };
  static constexpr std::size_t kKept = 512;

  /// Adds a census under `work`. An earlier generation, or other work, starts over.
  void add(const CountedCensus& census, const Work& work);
  /// The cells changed otherwise than by generations.
  void forget();

  std::size_t size() const { return count_; }
  /// The oldest first.
  const Sample& operator[](std::size_t i) const { return samples_[(first_ + i) % kKept]; }

  struct Repeat {
    std::uint64_t period = 0;
    std::uint64_t since = 0;  ///< the first generation that came again
    bool or_before = false;   ///< it is the first that was counted
    /// Not every generation between was counted: the period divides `period`.
    bool divides = false;
  };
  /// A state that came again; nothing while none did, or it is not confirmed yet.
  std::optional<Repeat> repeat() const;

 private:
  std::array<Sample, kKept> samples_{};
  std::size_t first_ = 0;
  std::size_t count_ = 0;
  Work work_{};
  std::uint64_t unbroken_ = 0;  ///< since this generation each one was counted
  std::optional<Repeat> found_;
  std::uint64_t confirmed_ = 0;  ///< generations that agreed since it was found
};

}  // namespace loom::app
