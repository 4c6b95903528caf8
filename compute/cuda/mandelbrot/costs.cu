#include "compute/cuda/mandelbrot/costs.h"
#include "compute/cuda/mandelbrot/kernel_blocks.cuh"
#include "compute/cuda/mandelbrot/region/region_costs.cuh"

namespace loom::cuda {
namespace {

// Block is RegionBlock or PlainRegionBlock.

template <typename Block, typename Real, typename Dwell>
__global__ void __launch_bounds__(kMaxRegionThreads)
    ask_level_noting_kernel(const __grid_constant__ DwellTask<Real, Dwell> task, const AskTables tables,
                            std::uint32_t level, std::uint32_t parts,
                            const __grid_constant__ RegionCosts costs) {
  __shared__ typename Block::Space space;
  ask_level_block<Block>(task, tables, level, parts, costs, space);
}

template <typename Block, typename Real, typename Dwell>
__global__ void __launch_bounds__(kMaxRegionThreads)
    ask_jobs_noting_kernel(const __grid_constant__ DwellTask<Real, Dwell> task, const AskTables tables,
                           std::uint32_t level, std::uint32_t parts, std::uint32_t job_parts,
                           const __grid_constant__ RegionCosts costs) {
  __shared__ typename Block::Space space;
  ask_jobs_block<Block>(task, tables, level, parts, job_parts, costs, space);
}

}  // namespace

template <typename Real, typename Dwell>
void compute_ask_level_noting(const DwellTask<Real, Dwell>& task, const AskTables& tables,
                              const AskLaunch& launch, std::uint32_t* costs, const Stream& stream) {
  const dim3 threads(launch.block.x, launch.block.y);
  const std::uint32_t parts = parts_at(task.cut, launch.level);
  const RegionCosts to{costs, task.cut.first_parts};
  const bool plain = is_plain_work(task.ideas);
  const auto level_kernel = plain ? ask_level_noting_kernel<PlainRegionBlock<Real, Dwell>, Real, Dwell>
                                  : ask_level_noting_kernel<RegionBlock<Real, Dwell>, Real, Dwell>;
  const unsigned blocks = level_blocks(task.ideas, level_kernel, launch);
  level_kernel<<<blocks, threads, 0, stream.get()>>>(task, tables, launch.level, parts, to);
  LOOM_CUDA(cudaGetLastError());
  if (task.scheme != RegionScheme::kMbr) return;
  const std::uint32_t job_parts = parts_of_region(task.cut, launch.level);
  const auto jobs_kernel = plain ? ask_jobs_noting_kernel<PlainRegionBlock<Real, Dwell>, Real, Dwell>
                                 : ask_jobs_noting_kernel<RegionBlock<Real, Dwell>, Real, Dwell>;
  const unsigned job_blocks = level_blocks(task.ideas, jobs_kernel, launch, job_parts);
  jobs_kernel<<<job_blocks, threads, 0, stream.get()>>>(task, tables, launch.level, parts, job_parts, to);
  LOOM_CUDA(cudaGetLastError());
}

#define LOOM_INSTANTIATE(Real, Dwell)                                                                       \
  template void compute_ask_level_noting(const DwellTask<Real, Dwell>&, const AskTables&, const AskLaunch&, \
                                         std::uint32_t*, const Stream&);
LOOM_INSTANTIATE(float, std::uint16_t)
LOOM_INSTANTIATE(float, std::uint32_t)
LOOM_INSTANTIATE(double, std::uint16_t)
LOOM_INSTANTIATE(double, std::uint32_t)
#undef LOOM_INSTANTIATE

}  // namespace loom::cuda
