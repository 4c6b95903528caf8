#include "compute/cuda/mandelbrot/dp/dynamic_parallelism.cuh"
#include "compute/perturbation/perturbed.h"

namespace loom::cuda {

using Narrow = Perturbed<float, false>;
using Wide = Perturbed<float, true>;
LOOM_INSTANTIATE_DP(Narrow, std::uint32_t)
LOOM_INSTANTIATE_DP(Wide, std::uint32_t)

}  // namespace loom::cuda
