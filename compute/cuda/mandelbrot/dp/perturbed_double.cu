#include "compute/cuda/mandelbrot/dp/dynamic_parallelism.cuh"
#include "compute/perturbation/perturbed.h"

namespace loom::cuda {

using Narrow = Perturbed<double, false>;
using Wide = Perturbed<double, true>;
using NarrowEstimated = Perturbed<double, false, true>;
using WideEstimated = Perturbed<double, true, true>;
LOOM_INSTANTIATE_DP(Narrow, std::uint32_t)
LOOM_INSTANTIATE_DP(Wide, std::uint32_t)
LOOM_INSTANTIATE_DP(NarrowEstimated, std::uint32_t)
LOOM_INSTANTIATE_DP(WideEstimated, std::uint32_t)

}  // namespace loom::cuda
