#include "app/population.h"

#include <algorithm>

namespace loom::app {

void Population::update(const FractalEngine& engine, Clock::time_point now) {
  if (counted_ && (counted_->generation == engine.generation() || now < next_)) return;
  const auto begin = Clock::now();
  counted_ = CountedCensus{engine.census(), engine.generation()};
  const auto cost = Clock::now() - begin;
  next_ = now + std::max<Clock::duration>(std::chrono::milliseconds(250), 50 * cost);
}

}  // namespace loom::app
