#include "compute/cuda/mandelbrot/ask_level.cuh"
#include "compute/cuda/mandelbrot/costs.h"
#include "compute/cuda/mandelbrot/region/region_costs.cuh"

namespace loom::cuda {
template <typename Evaluator, typename Dwell>
std::uint64_t compute_ask_level_noting(const DwellTask<Evaluator, Dwell>& task, const AskTables& tables,
                                       const AskLaunch& launch, std::uint32_t* costs,
                                       const DwellSlices& slices, const Stream& stream) {
  const RegionSteps steps(task.cut, launch.level, task.steps, launch.block, slices);
  if (steps.border_is_long || steps.within_is_long)
    return compute_ask_level(task, tables, launch, slices, stream);
  const dim3 threads(launch.block.x, launch.block.y);
  return for_each_ask_launch<RegionCosts>(
      task, tables, launch, steps, slices, stream,
      [&](MandelbrotKernel, auto* kernel, unsigned blocks, const auto&... arguments) {
        kernel<<<blocks, threads, 0, stream.get()>>>(task, arguments...,
                                                     RegionCosts{costs, task.cut.first_parts});
      });
}

#define LOOM_INSTANTIATE(Evaluator, Dwell)                                                              \
  template std::uint64_t compute_ask_level_noting(const DwellTask<Evaluator, Dwell>&, const AskTables&, \
                                                  const AskLaunch&, std::uint32_t*, const DwellSlices&, \
                                                  const Stream&);
LOOM_INSTANTIATE(Direct<float>, std::uint16_t)
LOOM_INSTANTIATE(Direct<float>, std::uint32_t)
LOOM_INSTANTIATE(Direct<double>, std::uint16_t)
LOOM_INSTANTIATE(Direct<double>, std::uint32_t)
LOOM_INSTANTIATE(DirectFormula<float>, std::uint16_t)
LOOM_INSTANTIATE(DirectFormula<float>, std::uint32_t)
LOOM_INSTANTIATE(DirectFormula<double>, std::uint16_t)
LOOM_INSTANTIATE(DirectFormula<double>, std::uint32_t)
#undef LOOM_INSTANTIATE

}  // namespace loom::cuda
