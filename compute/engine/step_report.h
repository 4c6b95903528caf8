#pragma once

#include <cstdint>

namespace loom {

/// What one call of an engine cost. Counts are totals over the call.
struct StepReport {
  double milliseconds = 0;             ///< CUDA events on the GPU, steady clock on the CPU
  std::uint64_t generations = 0;       ///< generations computed by the call
  std::uint64_t blocks_launched = 0;   ///< thread blocks
  std::uint64_t threads_launched = 0;  ///< blocks times threads in a block
  std::uint64_t threads_active = 0;    ///< threads that had a cell
  std::uint64_t bytes_held = 0;        ///< memory the engine holds for cells (both generations)
  std::uint64_t bytes_moved = 0;  ///< compulsory traffic: the byte of each cell read once and written once
};

}  // namespace loom
