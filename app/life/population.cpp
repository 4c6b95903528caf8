#include "app/life/population.h"

#include <algorithm>

namespace loom::app {
namespace {

using namespace std::chrono_literals;
constexpr auto kQuick = 20ms;
constexpr auto kInterval = 250ms;

}  // namespace

void Population::update(const FractalEngine& engine, bool playing) {
  const auto begin = Clock::now();
  const bool due = begin >= next_ || (!playing && cost_ < kQuick);
  if (counted_ && (counted_->generation == engine.generation() || !due)) return;
  counted_ = CountedCensus{engine.census(), engine.generation()};
  cost_ = Clock::now() - begin;
  next_ = begin + std::max<Clock::duration>(kInterval, 50 * cost_);
}

}  // namespace loom::app
