#pragma once

#include <algorithm>
#include <cstdint>

#include "compute/cuda/mandelbrot/kernel_blocks.cuh"
#include "compute/cuda/mandelbrot/region/region_spans.cuh"
#include "compute/cuda/mandelbrot/region/region_steps.h"

namespace loom::cuda {

// The kernels of a level of ASK. Recording is the recorder of thread blocks: none (NoRegionSpans), spans
// (RegionSpans) or costs (RegionCosts). Block is RegionBlock or PlainRegionBlock.

template <typename Block, typename Recording, typename Evaluator, typename Dwell>
__global__ void __launch_bounds__(kMaxRegionThreads)
    ask_level_kernel(const __grid_constant__ DwellTask<Evaluator, Dwell> task, const AskTables tables,
                     std::uint32_t level, std::uint32_t parts, const __grid_constant__ Recording recording) {
  __shared__ typename Block::Space space;
  ask_level_block<Block>(task, tables, level, parts, recording, space);
}

template <typename Block, typename Recording, typename Evaluator, typename Dwell>
__global__ void __launch_bounds__(kMaxRegionThreads)
    ask_jobs_kernel(const __grid_constant__ DwellTask<Evaluator, Dwell> task, const AskTables tables,
                    std::uint32_t level, std::uint32_t parts, std::uint32_t job_parts,
                    const __grid_constant__ Recording recording) {
  __shared__ typename Block::Space space;
  ask_jobs_block<Block>(task, tables, level, parts, job_parts, recording, space);
}

/// Launches work on a level in parts of limited length by `enqueue(which, kernel, thread blocks, the kernel's
/// arguments between the task and the recording...)`. kBorderKnown: the dwells of borders are in the image.
/// Returns the largest possible number of regions of the level, as far as the host knows.
template <typename Recording, bool kBorderKnown = false, typename Evaluator, typename Dwell, typename Enqueue>
std::uint64_t for_each_ask_launch(const DwellTask<Evaluator, Dwell>& task, const AskTables& tables,
                                  AskLaunch launch, const RegionSteps& steps, const LaunchSlices& slices,
                                  const Stream& stream, const Enqueue& enqueue) {
  using Plain = PublishedBlock<Evaluator, Dwell, kBorderKnown>;
  using Ideas = OptimisedBlock<Evaluator, Dwell, kBorderKnown>;
  const std::uint32_t level = launch.level;
  const bool shared = task.scheme == RegionScheme::kMbr;
  const std::uint64_t of_region = (kBorderKnown ? 0 : steps.border) + (shared ? 0 : steps.within);
  LevelCounters* const counters = &task.counters[level];
  // All regions of the first level exist; the number of those of an engine's partition is known too.
  if (level > 0 && slices.cuts_blocks(launch.max_regions, of_region))
    launch.max_regions = std::min<std::uint64_t>(launch.max_regions, read_count(&counters->entries, stream));
  const std::uint64_t regions = launch.max_regions;
  const std::uint32_t parts = parts_at(task.cut, level);
  const bool plain = is_plain_work(task);
  const auto launch_parts = [&](MandelbrotKernel which, auto* kernel, std::uint64_t items,
                                std::uint64_t steps_of_item, unsigned long long* taken,
                                const auto&... arguments) {
    in_parts(slices, tables, items, steps_of_item, taken, stream,
             [&](const AskTables& at, std::uint64_t count) {
               launch.max_regions = count;
               enqueue(which, kernel, level_blocks(task.optimisations, kernel, launch), at, level, parts,
                       arguments...);
             });
  };
  launch_parts(MandelbrotKernel::kAskLevel,
               plain ? ask_level_kernel<Plain, Recording, Evaluator, Dwell>
                     : ask_level_kernel<Ideas, Recording, Evaluator, Dwell>,
               regions, of_region, &counters->taken);
  if (!shared) return regions;
  const std::uint32_t job_parts = parts_of_region(task.cut, level);
  std::uint64_t jobs = regions;
  if (slices.cuts_blocks(jobs * job_parts, steps.part))
    jobs = std::min<std::uint64_t>(jobs, read_count(&counters->jobs, stream));
  // kBorderKnown no longer matters: jobs have no borders to explore.
  using PlainJobs = PublishedBlock<Evaluator, Dwell>;
  using IdeasJobs = OptimisedBlock<Evaluator, Dwell>;
  launch_parts(MandelbrotKernel::kAskJobs,
               plain ? ask_jobs_kernel<PlainJobs, Recording, Evaluator, Dwell>
                     : ask_jobs_kernel<IdeasJobs, Recording, Evaluator, Dwell>,
               jobs * job_parts, steps.part, &counters->jobs_taken, job_parts);
  return regions;
}

}  // namespace loom::cuda
