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

/// Counts the living cells now and then. A census visits every cell: while the life plays it is taken at most
/// four times a second and never for more than about a fiftieth of the time; while it pauses, after each
/// change where it is quick, else as while playing.
class Population {
 public:
  using Clock = std::chrono::steady_clock;
  /// Counts if something changed and it is time to.
  void update(const FractalEngine& engine, bool playing);
  /// The cells changed otherwise than by a step: the next update counts at once.
  void invalidate() { counted_.reset(); }
  const std::optional<CountedCensus>& counted() const { return counted_; }

 private:
  std::optional<CountedCensus> counted_;
  Clock::duration cost_{};
  Clock::time_point next_{};
};

}  // namespace loom::app
