#include "compute/cuda/kernel_occupancy.h"
#include "compute/cuda/mandelbrot/kernel_blocks.cuh"
#include "compute/cuda/mandelbrot/record.h"
#include "compute/cuda/mandelbrot/region/region_steps.h"

namespace loom::cuda {
namespace {

template <typename Dwell>
__global__ void __launch_bounds__(kMaxRegionThreads)
    exhaustive_recorded_kernel(const __grid_constant__ DwellTask<float, Dwell> task, std::uint32_t blocks_x,
                               std::uint64_t first, std::uint64_t end,
                               const __grid_constant__ BlockRecorder recorder) {
  const std::uint64_t begin = recorder.begin();
  for (std::uint64_t block = first + blockIdx.x; block < end; block += gridDim.x) {
    compute_rectangle(task, blocks_x, block);
  }
  recorder.end(begin, [first] { return first + blockIdx.x; });
}

template <typename Block, typename Dwell>
__global__ void __launch_bounds__(kMaxRegionThreads)
    ask_level_recorded_kernel(const __grid_constant__ DwellTask<float, Dwell> task, const AskTables tables,
                              std::uint32_t level, std::uint32_t parts,
                              const __grid_constant__ RegionSpans spans) {
  __shared__ typename Block::Space space;
  ask_level_block<Block>(task, tables, level, parts, spans, space);
}

template <typename Block, typename Dwell>
__global__ void __launch_bounds__(kMaxRegionThreads)
    ask_jobs_recorded_kernel(const __grid_constant__ DwellTask<float, Dwell> task, const AskTables tables,
                             std::uint32_t level, std::uint32_t parts, std::uint32_t job_parts,
                             const __grid_constant__ RegionSpans spans) {
  __shared__ typename Block::Space space;
  ask_jobs_block<Block>(task, tables, level, parts, job_parts, spans, space);
}

}  // namespace

std::uint64_t exhaustive_thread_blocks(const Subdivision& cut, BlockShape block) {
  return exhaustive_grid(cut, block).launched;
}

template <typename Dwell>
TimelineLaunch record_exhaustive(const DwellTask<float, Dwell>& task, BlockShape block,
                                 const RecordingView& to, const SpanWindow& window,
                                 const LaunchSlices& slices, const Stream& stream) {
  const ExhaustiveGrid grid = exhaustive_grid(task.cut, block);
  const BlockRecorder recorder{
      .to = to, .window = window, .blocks_x = grid.launched, .work = SpanWork::kPixels};
  const auto kernel = exhaustive_recorded_kernel<Dwell>;
  slices.each_block(
      grid.blocks, steps_of_rectangle(task, block), [&](std::uint64_t first, std::uint64_t end) {
        const auto launched = static_cast<unsigned>(std::min<std::uint64_t>(end - first, grid.launched));
        kernel<<<launched, dim3(block.x, block.y), 0, stream.get()>>>(task, grid.blocks_x, first, end,
                                                                      recorder);
        LOOM_CUDA(cudaGetLastError());
      });
  return {"exhaustive_kernel", grid.launched, timed_occupancy(task, MandelbrotKernel::kExhaustive, block),
          kernel_occupancy(kernel, block.x * block.y, 0)};
}

template <typename Dwell>
std::vector<TimelineLaunch> record_ask_level(const DwellTask<float, Dwell>& task, const AskTables& tables,
                                             AskLaunch launch, const RecordingView& to,
                                             std::uint16_t first_launch, const LaunchSlices& slices,
                                             const Stream& stream) {
  const dim3 threads(launch.block.x, launch.block.y);
  const std::uint32_t in_block = launch.block.x * launch.block.y;
  const std::uint32_t level = launch.level;
  const std::uint32_t parts = parts_at(task.cut, level);
  const RegionSteps steps(task.cut, level, task.limit, launch.block, slices);
  const bool shared = task.scheme == RegionScheme::kMbr;
  const std::uint64_t of_region = steps.border + (shared ? 0 : steps.within);
  LevelCounters* const counters = &task.counters[level];
  if (level > 0 && slices.cuts_blocks(launch.most_regions, of_region))
    launch.most_regions =
        std::min<std::uint64_t>(launch.most_regions, read_count(&counters->entries, stream));
  const std::uint64_t regions = launch.most_regions;
  std::vector<TimelineLaunch> launches;
  const auto record_parts = [&](const char* name, MandelbrotKernel timed, auto* kernel, std::uint64_t items,
                                std::uint64_t steps_of_item, unsigned long long* taken,
                                const auto&... arguments) {
    const Occupancy occupancy = timed_occupancy(task, timed, launch.block);
    const Occupancy recorded = kernel_occupancy(kernel, in_block, 0);
    in_parts(slices, tables, items, steps_of_item, taken, stream,
             [&](const AskTables& at, std::uint64_t count) {
               launch.most_regions = count;
               const unsigned blocks = level_blocks(task.ideas, kernel, launch);
               const auto number = static_cast<std::uint16_t>(first_launch + launches.size());
               kernel<<<blocks, threads, 0, stream.get()>>>(task, at, level, parts, arguments...,
                                                            RegionSpans{to, kNoParent, number});
               launches.push_back({name, blocks, occupancy, recorded});
             });
  };
  const bool plain = is_plain_work(task.ideas);
  record_parts("ask_level_kernel", MandelbrotKernel::kAskLevel,
               plain ? ask_level_recorded_kernel<PlainRegionBlock<float, Dwell>, Dwell>
                     : ask_level_recorded_kernel<RegionBlock<float, Dwell>, Dwell>,
               regions, of_region, &counters->taken);
  if (!shared) return launches;
  const std::uint32_t job_parts = parts_of_region(task.cut, level);
  std::uint64_t jobs = regions;
  if (slices.cuts_blocks(jobs * job_parts, steps.part))
    jobs = std::min<std::uint64_t>(jobs, read_count(&counters->jobs, stream));
  record_parts("ask_jobs_kernel", MandelbrotKernel::kAskJobs,
               plain ? ask_jobs_recorded_kernel<PlainRegionBlock<float, Dwell>, Dwell>
                     : ask_jobs_recorded_kernel<RegionBlock<float, Dwell>, Dwell>,
               jobs * job_parts, steps.part, &counters->jobs_taken, job_parts);
  return launches;
}

#define LOOM_INSTANTIATE(Dwell)                                                                           \
  template TimelineLaunch record_exhaustive(const DwellTask<float, Dwell>&, BlockShape,                   \
                                            const RecordingView&, const SpanWindow&, const LaunchSlices&, \
                                            const Stream&);                                               \
  template std::vector<TimelineLaunch> record_ask_level(const DwellTask<float, Dwell>&, const AskTables&, \
                                                        AskLaunch, const RecordingView&, std::uint16_t,   \
                                                        const LaunchSlices&, const Stream&);
LOOM_INSTANTIATE(std::uint16_t)
LOOM_INSTANTIATE(std::uint32_t)
#undef LOOM_INSTANTIATE

}  // namespace loom::cuda
