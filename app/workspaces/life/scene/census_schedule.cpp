#include "app/workspaces/life/scene/census_schedule.h"

#include <algorithm>

namespace loom::app {
namespace {

using namespace std::chrono_literals;
constexpr auto kQuick = 20ms;
constexpr auto kCheap = 200us;
constexpr auto kInterval = 250ms;

}  // namespace

bool CensusSchedule::due(std::uint64_t generation, bool playing) const {
  if (counted_ && counted_->generation == generation) return false;
  return Clock::now() >= next_ || ((!playing || !counted_) && cost_ < kQuick);
}

void CensusSchedule::take(const CountedCensus& census, double milliseconds) {
  counted_ = census;
  cost_ =
      std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double, std::milli>(milliseconds));
  // Small fields are counted in each displayed generation, so that cycles are found.
  next_ = Clock::now() + (cost_ < kCheap ? 50 * cost_ : std::max<Clock::duration>(kInterval, 50 * cost_));
}

}  // namespace loom::app
