#include "compute/cuda/kernel_occupancy.h"
#include "compute/cuda/mandelbrot/kernel_blocks.cuh"
#include "compute/cuda/mandelbrot/record.h"

namespace loom::cuda {
namespace {

template <typename Dwell>
__global__ void __launch_bounds__(kMaxRegionThreads)
    exhaustive_recorded_kernel(const __grid_constant__ DwellTask<float, Dwell> task, std::uint32_t blocks_x,
                               std::uint64_t blocks, const __grid_constant__ BlockRecorder recorder) {
  const std::uint64_t begin = recorder.begin();
  for (std::uint64_t block = blockIdx.x; block < blocks; block += gridDim.x) {
    compute_rectangle(task, blocks_x, block);
  }
  recorder.end(begin, [] { return std::uint64_t{blockIdx.x}; });
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
                                 const RecordingView& to, const SpanWindow& window, const Stream& stream) {
  const ExhaustiveGrid grid = exhaustive_grid(task.cut, block);
  const BlockRecorder recorder{
      .to = to, .window = window, .blocks_x = grid.launched, .work = SpanWork::kPixels};
  const auto kernel = exhaustive_recorded_kernel<Dwell>;
  kernel<<<grid.launched, dim3(block.x, block.y), 0, stream.get()>>>(task, grid.blocks_x, grid.blocks,
                                                                     recorder);
  LOOM_CUDA(cudaGetLastError());
  return {"exhaustive_kernel", grid.launched, timed_occupancy(task, MandelbrotKernel::kExhaustive, block),
          kernel_occupancy(kernel, block.x * block.y, 0)};
}

template <typename Dwell>
std::vector<TimelineLaunch> record_ask_level(const DwellTask<float, Dwell>& task, const AskTables& tables,
                                             const AskLaunch& launch, const RecordingView& to,
                                             std::uint16_t first_launch, const Stream& stream) {
  const dim3 threads(launch.block.x, launch.block.y);
  const std::uint32_t in_block = launch.block.x * launch.block.y;
  const std::uint32_t parts = parts_at(task.cut, launch.level);
  std::vector<TimelineLaunch> launches;
  const bool plain = is_plain_work(task.ideas);
  const auto level_kernel = plain ? ask_level_recorded_kernel<PlainRegionBlock<float, Dwell>, Dwell>
                                  : ask_level_recorded_kernel<RegionBlock<float, Dwell>, Dwell>;
  const unsigned blocks = level_blocks(task.ideas, level_kernel, launch);
  level_kernel<<<blocks, threads, 0, stream.get()>>>(task, tables, launch.level, parts,
                                                     RegionSpans{to, kNoParent, first_launch});
  LOOM_CUDA(cudaGetLastError());
  launches.push_back({"ask_level_kernel", blocks,
                      timed_occupancy(task, MandelbrotKernel::kAskLevel, launch.block),
                      kernel_occupancy(level_kernel, in_block, 0)});
  if (task.scheme != RegionScheme::kMbr) return launches;
  const std::uint32_t job_parts = parts_of_region(task.cut, launch.level);
  const auto jobs_kernel = plain ? ask_jobs_recorded_kernel<PlainRegionBlock<float, Dwell>, Dwell>
                                 : ask_jobs_recorded_kernel<RegionBlock<float, Dwell>, Dwell>;
  const unsigned job_blocks = level_blocks(task.ideas, jobs_kernel, launch, job_parts);
  jobs_kernel<<<job_blocks, threads, 0, stream.get()>>>(
      task, tables, launch.level, parts, job_parts,
      RegionSpans{to, kNoParent, static_cast<std::uint16_t>(first_launch + 1)});
  LOOM_CUDA(cudaGetLastError());
  launches.push_back({"ask_jobs_kernel", job_blocks,
                      timed_occupancy(task, MandelbrotKernel::kAskJobs, launch.block),
                      kernel_occupancy(jobs_kernel, in_block, 0)});
  return launches;
}

#define LOOM_INSTANTIATE(Dwell)                                                                           \
  template TimelineLaunch record_exhaustive(const DwellTask<float, Dwell>&, BlockShape,                   \
                                            const RecordingView&, const SpanWindow&, const Stream&);      \
  template std::vector<TimelineLaunch> record_ask_level(const DwellTask<float, Dwell>&, const AskTables&, \
                                                        const AskLaunch&, const RecordingView&,           \
                                                        std::uint16_t, const Stream&);
LOOM_INSTANTIATE(std::uint16_t)
LOOM_INSTANTIATE(std::uint32_t)
#undef LOOM_INSTANTIATE

}  // namespace loom::cuda
