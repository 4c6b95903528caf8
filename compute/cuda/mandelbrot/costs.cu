#include <algorithm>

#include "compute/cuda/mandelbrot/costs.h"
#include "compute/cuda/mandelbrot/kernel_blocks.cuh"
#include "compute/cuda/mandelbrot/region/region_costs.cuh"
#include "compute/cuda/mandelbrot/region/region_steps.h"

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
std::uint64_t compute_ask_level_noting(const DwellTask<Real, Dwell>& task, const AskTables& tables,
                                       AskLaunch launch, std::uint32_t* costs, const LaunchSlices& slices,
                                       const Stream& stream) {
  const std::uint32_t level = launch.level;
  const RegionSteps steps(task.cut, level, task.limit, launch.block, slices);
  if (steps.border_is_long || steps.within_is_long)
    return compute_ask_level(task, tables, launch, slices, stream);
  const bool shared = task.scheme == RegionScheme::kMbr;
  const std::uint64_t of_region = steps.border + (shared ? 0 : steps.within);
  LevelCounters* const counters = &task.counters[level];
  if (level > 0 && slices.cuts_blocks(launch.most_regions, of_region))
    launch.most_regions =
        std::min<std::uint64_t>(launch.most_regions, read_count(&counters->entries, stream));
  const std::uint64_t regions = launch.most_regions;
  const dim3 threads(launch.block.x, launch.block.y);
  const std::uint32_t parts = parts_at(task.cut, level);
  const RegionCosts to{costs, task.cut.first_parts};
  const auto launch_parts = [&](auto* kernel, std::uint64_t items, std::uint64_t steps_of_item,
                                unsigned long long* taken, const auto&... arguments) {
    in_parts(slices, tables, items, steps_of_item, taken, stream,
             [&](const AskTables& at, std::uint64_t count) {
               launch.most_regions = count;
               kernel<<<level_blocks(task.ideas, kernel, launch), threads, 0, stream.get()>>>(
                   task, at, level, parts, arguments..., to);
             });
  };
  const bool plain = is_plain_work(task.ideas);
  launch_parts(plain ? ask_level_noting_kernel<PlainRegionBlock<Real, Dwell>, Real, Dwell>
                     : ask_level_noting_kernel<RegionBlock<Real, Dwell>, Real, Dwell>,
               regions, of_region, &counters->taken);
  if (!shared) return regions;
  const std::uint32_t job_parts = parts_of_region(task.cut, level);
  std::uint64_t jobs = regions;
  if (slices.cuts_blocks(jobs * job_parts, steps.part))
    jobs = std::min<std::uint64_t>(jobs, read_count(&counters->jobs, stream));
  launch_parts(plain ? ask_jobs_noting_kernel<PlainRegionBlock<Real, Dwell>, Real, Dwell>
                     : ask_jobs_noting_kernel<RegionBlock<Real, Dwell>, Real, Dwell>,
               jobs * job_parts, steps.part, &counters->jobs_taken, job_parts);
  return regions;
}

#define LOOM_INSTANTIATE(Real, Dwell)                                                              \
  template std::uint64_t compute_ask_level_noting(const DwellTask<Real, Dwell>&, const AskTables&, \
                                                  AskLaunch, std::uint32_t*, const LaunchSlices&,  \
                                                  const Stream&);
LOOM_INSTANTIATE(float, std::uint16_t)
LOOM_INSTANTIATE(float, std::uint32_t)
LOOM_INSTANTIATE(double, std::uint16_t)
LOOM_INSTANTIATE(double, std::uint32_t)
#undef LOOM_INSTANTIATE

}  // namespace loom::cuda
