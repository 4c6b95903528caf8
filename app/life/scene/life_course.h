#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "app/life/scene/population.h"
#include "compute/workload/workload.h"

namespace loom::app {

/// How the cells went on, from the censuses that were taken: the population over time, and whether a state
/// has come again. Two states are taken for the same where population and hash agree, and that they do so
/// again over a further period confirms it. Allocates nothing.
class LifeCourse {
 public:
  struct Sample {
    std::uint64_t generation = 0;
    std::uint64_t population = 0;
    std::uint64_t hash = 0;
  };
  static constexpr std::size_t kKept = 512;

  /// A census of the cells while `work` is done. One of an earlier generation, or other work, begins anew.
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
