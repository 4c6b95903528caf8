#include "compute/cuda/launch.cuh"
#include "compute/cuda/mandelbrot/colours.h"
#include "compute/cuda/mandelbrot/custom/custom_kernels.h"
#include "compute/cuda/mandelbrot/kernel_blocks.cuh"
#include "compute/perturbation/perturbed.h"

namespace loom::cuda {
namespace {

/// One atomic operation for all lanes of a warp with the same dwell, which neighbours mostly have.
template <typename Dwell>
__global__ void count_dwells_kernel(const Dwell* dwells, std::uint64_t pixels, unsigned long long* counts) {
  for (std::uint64_t i = grid_thread(); i < pixels; i += grid_stride()) {
    const std::uint32_t dwell = dwells[i];
    const unsigned same = __match_any_sync(__activemask(), dwell);
    const int first = __ffs(static_cast<int>(same)) - 1;
    if (static_cast<int>(threadIdx.x % 32) == first) {
      atomicAdd(&counts[dwell], static_cast<unsigned long long>(__popc(same)));
    }
  }
}

template <typename Evaluator, typename Dwell>
__global__ void smooth_kernel(const __grid_constant__ DwellTask<Evaluator, Dwell> task, std::uint64_t first,
                              std::uint64_t end, std::uint32_t* smooth) {
  smooth_pixels(task, first, end, smooth);
}

}  // namespace

template <typename Evaluator, typename Dwell>
void count_dwells(const DwellTask<Evaluator, Dwell>& task, std::uint64_t first, std::uint64_t end,
                  unsigned long long* counts, const Stream& stream) {
  launch_items(count_dwells_kernel<Dwell>, end - first, stream, task.image.dwells + first, end - first,
               counts);
}

template <typename Evaluator, typename Dwell>
void smooth_dwells(const DwellTask<Evaluator, Dwell>& task, std::uint64_t first, std::uint64_t end,
                   std::uint32_t* smooth, const DwellSlices& slices, const Stream& stream) {
  slices.each(end - first, task.steps, [&](std::uint64_t from, std::uint64_t to) {
    launch_on_task(slices, "loom_smooth", smooth_kernel<Evaluator, Dwell>, blocks_for(to - from),
                   kItemThreads, stream, task, first + from, first + to, smooth);
  });
}

#define LOOM_INSTANTIATE(Evaluator, Dwell)                                                      \
  template void count_dwells(const DwellTask<Evaluator, Dwell>&, std::uint64_t, std::uint64_t,  \
                             unsigned long long*, const Stream&);                               \
  template void smooth_dwells(const DwellTask<Evaluator, Dwell>&, std::uint64_t, std::uint64_t, \
                              std::uint32_t*, const DwellSlices&, const Stream&);
LOOM_INSTANTIATE(Direct<float>, std::uint16_t)
LOOM_INSTANTIATE(Direct<float>, std::uint32_t)
LOOM_INSTANTIATE(Direct<double>, std::uint16_t)
LOOM_INSTANTIATE(Direct<double>, std::uint32_t)
LOOM_INSTANTIATE(DirectFormula<float>, std::uint16_t)
LOOM_INSTANTIATE(DirectFormula<float>, std::uint32_t)
LOOM_INSTANTIATE(DirectFormula<double>, std::uint16_t)
LOOM_INSTANTIATE(DirectFormula<double>, std::uint32_t)
using PerturbedFloat = Perturbed<float, false>;
using PerturbedDouble = Perturbed<double, false>;
using WideFloat = Perturbed<float, true>;
using WideDouble = Perturbed<double, true>;
LOOM_INSTANTIATE(PerturbedFloat, std::uint32_t)
LOOM_INSTANTIATE(PerturbedDouble, std::uint32_t)
LOOM_INSTANTIATE(WideFloat, std::uint32_t)
LOOM_INSTANTIATE(WideDouble, std::uint32_t)
#undef LOOM_INSTANTIATE

}  // namespace loom::cuda
