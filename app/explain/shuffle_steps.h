#pragma once

#include <array>
#include <vector>

#include "app/explain/thread_space.h"

namespace loom::app::explain {

// lambda and nu of one tile by the arithmetic `shuffle`: each lane of a warp computes one level, and five
// rounds sum the terms (compute/cuda/warp/warp_arithmetic.cuh).

/// The state of a lane before the first round.
struct ShuffleLane {
  std::vector<int> levels;  ///< levels mu of its terms: lane + 1, lane + 33, if they exist
  Coord64 value;            ///< the sum of these terms
  bool present = true;      ///< nu: all its levels have a replica
};
/// One round: each lane adds the value of the lane whose index differs in the bit `distance`.
struct ShuffleRound {
  std::uint32_t distance = 0;              ///< 16, 8, 4, 2, 1
  std::array<Coord64, kWarpLanes> values;  ///< value of each lane after the round
};
struct ShuffleSteps {
  std::array<ShuffleLane, kWarpLanes> lanes;
  std::vector<ShuffleRound> rounds;  ///< after the last round, all lanes have the same value
  bool present = true;               ///< by a vote of all lanes; if false, nu is undefined
  Coord64 result;                    ///< lambda(omega) in tiles, or nu(place)
};

/// Throw InputError as lambda_steps() and nu_steps() do.
ShuffleSteps shuffle_lambda_steps(const ThreadSpace& space, Coord64 omega);
ShuffleSteps shuffle_nu_steps(const ThreadSpace& space, Coord64 place);

}  // namespace loom::app::explain
