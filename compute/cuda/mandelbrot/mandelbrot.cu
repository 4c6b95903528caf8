#include "compute/cuda/mandelbrot/mandelbrot_kernels.cuh"

namespace loom::cuda {
namespace {

__global__ void narrow_kernel(const std::uint32_t* dwells, std::uint16_t* narrow, std::uint64_t count) {
  for (std::uint64_t i = grid_thread(); i < count; i += grid_stride()) {
    narrow[i] = static_cast<std::uint16_t>(dwells[i]);
  }
}

}  // namespace

std::uint64_t read_count(const unsigned long long* count, const Stream& stream) {
  unsigned long long found = 0;
  LOOM_CUDA(cudaMemcpyAsync(&found, count, sizeof(found), cudaMemcpyDeviceToHost, stream.get()));
  stream.wait();
  return found;
}

void narrow_dwells(const std::uint32_t* dwells, std::uint16_t* narrow, std::uint64_t count,
                   const Stream& stream) {
  launch_items(narrow_kernel, count, stream, dwells, narrow, count);
}

LOOM_INSTANTIATE_DWELLS(Direct<float>, std::uint16_t)
LOOM_INSTANTIATE_DWELLS(Direct<float>, std::uint32_t)
LOOM_INSTANTIATE_DWELLS(Direct<double>, std::uint16_t)
LOOM_INSTANTIATE_DWELLS(Direct<double>, std::uint32_t)

}  // namespace loom::cuda
