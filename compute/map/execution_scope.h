#pragma once

namespace loom {

/// The threads of a thread block that compute a tile's coordinate (and its neighbours').
enum class ExecutionScope {
  kEachThread,  ///< every thread for itself: the map is the identity
  kOneThread,   ///< one thread, which distributes the result through shared memory
  kWarp,        ///< one warp, which distributes the result through shared memory
  kMatrix,  ///< one warp by matrix products, up to eight tiles per product; results go through shared memory
  kMatrixCells,  ///< all warps by matrix products, which give every position its own cell instead of a tile
                 ///< coordinate
};

}  // namespace loom
