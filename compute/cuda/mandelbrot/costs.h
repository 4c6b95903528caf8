#pragma once

#include <cstdint>
#include <span>

#include "compute/cuda/mandelbrot/mandelbrot.h"

namespace loom::cuda {

/// compute_ask_level() by copies of its kernels that record the cost of each first region (region_costs.cuh),
/// so that the regular kernels contain no instrumentation; `costs` is accumulated. If a region is too long
/// for one thread block, nothing is recorded for its level.
template <typename Evaluator, typename Dwell>
std::uint64_t compute_ask_level_noting(const DwellTask<Evaluator, Dwell>& task, const AskTables& tables,
                                       const AskLaunch& launch, std::uint32_t* costs,
                                       const DwellSlices& slices, const Stream& stream);

}  // namespace loom::cuda
