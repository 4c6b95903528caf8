#include "app/explain/shuffle_steps.h"

#include "app/explain/index_width.h"
#include "app/explain/map_steps.h"
#include "compute/map/shuffle_arithmetic.h"

namespace loom::app::explain {
namespace {

/// Lanes and rounds of the sum of `term_of(mu)` over the levels. Sums wrap as in the kernel.
template <typename Int, typename TermOf>
ShuffleSteps reduce(int levels, const TermOf& term_of) {
  ShuffleSteps steps;
  std::array<Coord<Int>, kWarpLanes> values;
  for (std::uint32_t lane = 0; lane < kWarpLanes; ++lane) {
    for (int mu = 1 + static_cast<int>(lane); mu <= levels; mu += kWarpLanes) {
      const CompactCoord<Int> term = term_of(mu);
      steps.lanes[lane].levels.push_back(mu);
      steps.lanes[lane].present = steps.lanes[lane].present && term.present;
      values[lane].x += term.omega.x;
      values[lane].y += term.omega.y;
    }
    steps.lanes[lane].value = widened(values[lane]);
    steps.present = steps.present && steps.lanes[lane].present;
  }
  for (std::uint32_t distance = kWarpLanes / 2; distance > 0; distance /= 2) {
    ShuffleRound round{.distance = distance, .values = {}};
    const auto before = values;
    for (std::uint32_t lane = 0; lane < kWarpLanes; ++lane) {
      values[lane].x += before[lane ^ distance].x;
      values[lane].y += before[lane ^ distance].y;
      round.values[lane] = widened(values[lane]);
    }
    steps.rounds.push_back(round);
  }
  if (steps.present) steps.result = widened(values[0]);
  return steps;
}

}  // namespace

ShuffleSteps shuffle_lambda_steps(const ThreadSpace& space, Coord64 omega) {
  check_omega(space, omega);
  return with_width(space.tiled(), [&]<typename Int>(Int) {
    const ShuffleArithmetic<Int> arithmetic(space.tiled(), space.tables().view().levels);
    return reduce<Int>(arithmetic.levels(), [&](int mu) {
      return CompactCoord<Int>{arithmetic.lambda_term(mu, narrowed<Int>(omega)), true};
    });
  });
}

ShuffleSteps shuffle_nu_steps(const ThreadSpace& space, Coord64 place) {
  check_tile_position(space, place);
  return with_width(space.tiled(), [&]<typename Int>(Int) {
    const ShuffleArithmetic<Int> arithmetic(space.tiled(), space.tables().view().levels);
    return reduce<Int>(arithmetic.levels(),
                       [&](int mu) { return arithmetic.nu_term(mu, narrowed<Int>(place)); });
  });
}

}  // namespace loom::app::explain
