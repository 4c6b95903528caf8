#pragma once

#include <cstdint>
#include <span>

#include "compute/cuda/mandelbrot/mandelbrot.h"

namespace loom::cuda {

/// compute_ask_level() by copies of its kernels that note what each first region costs (region_costs.cuh), so
/// that the ones that are timed hold nothing of it; `costs` are added to. Where a region is too long for one
/// block nothing is noted of its level.
template <typename Real, typename Dwell>
std::uint64_t compute_ask_level_noting(const DwellTask<Real, Dwell>& task, const AskTables& tables,
                                       const AskLaunch& launch, std::uint32_t* costs,
                                       const LaunchSlices& slices, const Stream& stream);

}  // namespace loom::cuda
