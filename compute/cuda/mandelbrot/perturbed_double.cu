#include "compute/cuda/mandelbrot/mandelbrot_kernels.cuh"
#include "compute/perturbation/perturbed.h"

namespace loom::cuda {

using Narrow = Perturbed<double, false>;
using Wide = Perturbed<double, true>;
using NarrowEstimated = Perturbed<double, false, true>;
using WideEstimated = Perturbed<double, true, true>;
LOOM_INSTANTIATE_DWELLS(Narrow, std::uint32_t)
LOOM_INSTANTIATE_DWELLS(Wide, std::uint32_t)
LOOM_INSTANTIATE_DWELLS(NarrowEstimated, std::uint32_t)
LOOM_INSTANTIATE_DWELLS(WideEstimated, std::uint32_t)
LOOM_INSTANTIATE_LONG_ORBITS(Narrow)
LOOM_INSTANTIATE_LONG_ORBITS(NarrowEstimated)

}  // namespace loom::cuda
