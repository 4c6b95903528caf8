#include "compute/cuda/mandelbrot/dp/dynamic_parallelism.cuh"

namespace loom::cuda {

LOOM_INSTANTIATE_DP(DirectFormula<float>, std::uint16_t)
LOOM_INSTANTIATE_DP(DirectFormula<float>, std::uint32_t)
LOOM_INSTANTIATE_DP(DirectFormula<double>, std::uint16_t)
LOOM_INSTANTIATE_DP(DirectFormula<double>, std::uint32_t)

}  // namespace loom::cuda
