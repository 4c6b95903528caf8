#include "compute/cuda/mandelbrot/dp/dynamic_parallelism.cuh"

namespace loom::cuda {

template <typename Dwell>
cudaError_t record_dynamic_parallelism(const DwellTask<Direct<float>, Dwell>& task, const DpState& state,
                                       BlockShape block, const RecordingView& to, cudaStream_t stream) {
  return start(task, state, block, stream, RegionSpans{to, kNoParent, 0});
}

std::uint32_t dp_parts_of_region(const Subdivision& cut, std::uint32_t level) {
  return parts_of_region(cut, level);
}

template <typename Dwell>
std::vector<DpKernel> dp_kernels(const DwellTask<Direct<float>, Dwell>& task) {
  const auto address = [](auto* kernel) { return reinterpret_cast<const void*>(kernel); };
  std::vector<DpKernel> kernels;
  kernels.push_back({"dp_region_kernel", address(dp_region_kernel<Direct<float>, Dwell>),
                     address(dp_region_kernel<Direct<float>, Dwell, RegionSpans>)});
  if (task.scheme == RegionScheme::kMbr) {
    kernels.push_back({"dp_part_kernel", address(dp_part_kernel<Direct<float>, Dwell>),
                       address(dp_part_kernel<Direct<float>, Dwell, RegionSpans>)});
  }
  return kernels;
}

LOOM_INSTANTIATE_DP(Direct<float>, std::uint16_t)
LOOM_INSTANTIATE_DP(Direct<float>, std::uint32_t)
LOOM_INSTANTIATE_DP(Direct<double>, std::uint16_t)
LOOM_INSTANTIATE_DP(Direct<double>, std::uint32_t)

#define LOOM_INSTANTIATE(Dwell)                                                                           \
  template cudaError_t record_dynamic_parallelism(const DwellTask<Direct<float>, Dwell>&, const DpState&, \
                                                  BlockShape, const RecordingView&, cudaStream_t);        \
  template std::vector<DpKernel> dp_kernels(const DwellTask<Direct<float>, Dwell>&);
LOOM_INSTANTIATE(std::uint16_t)
LOOM_INSTANTIATE(std::uint32_t)
#undef LOOM_INSTANTIATE

}  // namespace loom::cuda
