#include "compute/cuda/kernel_occupancy.h"
#include "compute/cuda/mandelbrot/ask_level.cuh"
#include "compute/cuda/mandelbrot/record.h"

namespace loom::cuda {
std::uint64_t exhaustive_thread_blocks(const Subdivision& cut, BlockShape block) {
  return exhaustive_grid(cut, block).launched;
}

template <typename Dwell>
TimelineLaunch record_exhaustive(const DwellTask<Direct<float>, Dwell>& task, BlockShape block,
                                 const RecordingView& to, const SpanWindow& window,
                                 const LaunchSlices& slices, const Stream& stream) {
  const ExhaustiveGrid grid = exhaustive_grid(task.cut, block);
  const BlockRecorder recorder{
      .to = to, .window = window, .blocks_x = grid.launched, .work = SpanWork::kPixels};
  const auto kernel = exhaustive_kernel<Direct<float>, Dwell, BlockRecorder>;
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
std::vector<TimelineLaunch> record_ask_level(const DwellTask<Direct<float>, Dwell>& task,
                                             const AskTables& tables, const AskLaunch& launch,
                                             const RecordingView& to, std::uint16_t first_launch,
                                             const LaunchSlices& slices, const Stream& stream) {
  const dim3 threads(launch.block.x, launch.block.y);
  const RegionSteps steps(task.cut, launch.level, task.steps, launch.block, slices);
  std::vector<TimelineLaunch> launches;
  for_each_ask_launch<RegionSpans>(
      task, tables, launch, steps, slices, stream,
      [&](MandelbrotKernel which, auto* kernel, unsigned blocks, const auto&... arguments) {
        const auto number = static_cast<std::uint16_t>(first_launch + launches.size());
        kernel<<<blocks, threads, 0, stream.get()>>>(task, arguments..., RegionSpans{to, kNoParent, number});
        launches.push_back({which == MandelbrotKernel::kAskLevel ? "ask_level_kernel" : "ask_jobs_kernel",
                            blocks, timed_occupancy(task, which, launch.block),
                            kernel_occupancy(kernel, threads.x * threads.y, 0)});
      });
  return launches;
}

#define LOOM_INSTANTIATE(Dwell)                                                                           \
  template TimelineLaunch record_exhaustive(const DwellTask<Direct<float>, Dwell>&, BlockShape,           \
                                            const RecordingView&, const SpanWindow&, const LaunchSlices&, \
                                            const Stream&);                                               \
  template std::vector<TimelineLaunch> record_ask_level(                                                  \
      const DwellTask<Direct<float>, Dwell>&, const AskTables&, const AskLaunch&, const RecordingView&,   \
      std::uint16_t, const LaunchSlices&, const Stream&);
LOOM_INSTANTIATE(std::uint16_t)
LOOM_INSTANTIATE(std::uint32_t)
#undef LOOM_INSTANTIATE

}  // namespace loom::cuda
