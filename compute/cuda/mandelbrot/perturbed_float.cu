#include "compute/cuda/mandelbrot/mandelbrot_kernels.cuh"
#include "compute/perturbation/perturbed.h"

namespace loom::cuda {

using Narrow = Perturbed<float, false>;
using Wide = Perturbed<float, true>;
LOOM_INSTANTIATE_DWELLS(Narrow, std::uint32_t)
LOOM_INSTANTIATE_DWELLS(Wide, std::uint32_t)
LOOM_INSTANTIATE_LONG_ORBITS(Narrow)

}  // namespace loom::cuda
