#include "compute/cuda/mandelbrot/dp/dp_volume.cuh"

namespace loom::cuda {

cudaError_t compute_volume_by_dynamic_parallelism(const VolumeTask& task, std::uint32_t first,
                                                  std::uint32_t end, cudaStream_t stream) {
  loom_volume_dp<<<end - first, threads_of_region(task.cut, 0), 0, stream>>>(task, 0, first, Coord3{0, 0, 0});
  return cudaGetLastError();
}

}  // namespace loom::cuda
