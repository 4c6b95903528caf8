#pragma once

namespace loom {

/// Who in a thread block computes the block's place (and its neighbours').
enum class ComputedBy {
  kEachThread,   ///< every thread for itself: there is nothing to compute
  kOneThread,    ///< one thread, which shares the result through shared memory
  kWarp,         ///< a warp together, which shares the result through shared memory
  kMatrix,       ///< a warp by matrix products, up to eight blocks at once, shared likewise
  kMatrixCells,  ///< the block's warps by matrix products, not its place but every position's own cell
};

}  // namespace loom
