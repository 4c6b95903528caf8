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

/// When the living cells are counted, and the last count. A census visits every cell: while the life plays it
/// is taken never for more than about a fiftieth of the time, and where it is not quick at most four times a
/// second; while it pauses, after each change where it is quick, else as while playing.
class CensusSchedule {
 public:
  using Clock = std::chrono::steady_clock;
  /// Whether the cells of `generation` are to be counted now.
  bool due(std::uint64_t generation, bool playing) const;
  void take(const CountedCensus& census, double milliseconds);
  /// The cells changed otherwise than by a step: no count is known.
  void invalidate() { counted_.reset(); }
  /// The next count is due at once, whatever it costs.
  void count_now() { next_ = {}; }
  const std::optional<CountedCensus>& counted() const { return counted_; }

 private:
  std::optional<CountedCensus> counted_;
  Clock::duration cost_{};
  Clock::time_point next_{};
};

}  // namespace loom::app
