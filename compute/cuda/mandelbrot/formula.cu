#include "compute/cuda/mandelbrot/mandelbrot_kernels.cuh"

namespace loom::cuda {

LOOM_INSTANTIATE_DWELLS(DirectFormula<float>, std::uint16_t)
LOOM_INSTANTIATE_DWELLS(DirectFormula<float>, std::uint32_t)
LOOM_INSTANTIATE_DWELLS(DirectFormula<double>, std::uint16_t)
LOOM_INSTANTIATE_DWELLS(DirectFormula<double>, std::uint32_t)

}  // namespace loom::cuda
