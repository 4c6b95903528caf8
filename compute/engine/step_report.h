#pragma once

#include <cstdint>

namespace loom {

/// What one call of an engine cost. Counts are totals over the call.
struct StepReport {
  double milliseconds = 0;            ///< CUDA events on the GPU, steady clock on the CPU
  std::uint64_t generations = 0;      ///< times that the work was done
  std::uint64_t blocks_launched = 0;  ///< rho x rho blocks of the map
  std::uint64_t thread_blocks = 0;    ///< that a GPU launches for them: fewer where several blocks share one
  std::uint64_t threads_launched =
      0;                             ///< threads of the map; one that goes on to a further block counts again
  std::uint64_t threads_active = 0;  ///< threads that had a cell
  std::uint64_t bytes_held = 0;      ///< memory the engine holds for cells (both generations)
  std::uint64_t bytes_moved = 0;     ///< compulsory traffic: the byte of each cell, read once (reduction),
                                     ///< written once (single write) or both (life)
  std::uint64_t sum = 0;             ///< of the last reduction
};

}  // namespace loom
