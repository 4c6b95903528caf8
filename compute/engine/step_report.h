#pragma once

#include <cstdint>

namespace loom {

/// What one call of an engine cost: totals over the call. What its threads did is in ThreadCount.
struct StepReport {
  double milliseconds = 0;        ///< measured: CUDA events on the GPU, steady clock on the CPU
  std::uint64_t generations = 0;  ///< times that the work was done
  std::uint64_t bytes_held = 0;   ///< memory the engine holds for cells (both generations)
  std::uint64_t bytes_moved = 0;  ///< not measured but what no method can do without: the byte of each cell,
                                  ///< read once (reduction), written once (single write) or both (life)
  std::uint64_t sum = 0;          ///< of the last reduction
};

}  // namespace loom
