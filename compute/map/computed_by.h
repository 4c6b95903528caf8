#pragma once

namespace loom {

/// Who in a thread block computes the block's place (and its neighbours').
enum class ComputedBy {
  kEachThread,  ///< every thread for itself: the computation is short, and nobody waits
  kOneThread,   ///< one thread, which shares the result through shared memory
  kWarp,        ///< a warp together, which shares the result through shared memory
};

}  // namespace loom
