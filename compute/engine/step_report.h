#pragma once

#include <cstdint>

namespace loom {

/// The cost of one call of an engine, in totals over the call. Counts of threads are in ThreadCount.
struct StepReport {
  double milliseconds = 0;            ///< measured: CUDA events on the GPU, steady clock on the CPU
  std::uint64_t generations = 0;      ///< number of repetitions of the work
  std::uint64_t allocated_bytes = 0;  ///< memory allocated for cells (both generations)
  std::uint64_t bytes_moved = 0;  ///< not measured, but the minimum of any method: one byte per cell, read
                                  ///< once (reduction), written once (single write) or both (life)
  std::uint64_t sum = 0;          ///< result of the last reduction
};

}  // namespace loom
