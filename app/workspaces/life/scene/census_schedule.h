#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "compute/engine/fractal_engine.h"

namespace loom::app {

/// A census and the generation that it counted.
struct CountedCensus {
  Census census;
  std::uint64_t generation = 0;
};

/// Decides when the living cells are counted, and stores the last count. A census visits every cell. While
/// playing, censuses take at most about a fiftieth of the time and, unless they are very cheap, run at most
/// four times a second. While paused, each change is counted if a census is quick.
class CensusSchedule {
 public:
  using Clock = std::chrono::steady_clock;
  /// True if the cells of `generation` should be counted now.
  bool due(std::uint64_t generation, bool playing) const;
  void take(const CountedCensus& census, double milliseconds);
  /// Call after a change other than a step: discards the count.
  void invalidate() { counted_.reset(); }
  /// Makes the next count due at once, whatever it costs.
  void count_now() { next_ = {}; }
  const std::optional<CountedCensus>& counted() const { return counted_; }

 private:
  std::optional<CountedCensus> counted_;
  Clock::duration cost_{};
  Clock::time_point next_{};
};

}  // namespace loom::app
