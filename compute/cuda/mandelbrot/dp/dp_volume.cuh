#pragma once

#include "compute/cuda/mandelbrot/region/volume_block.cuh"

namespace loom::cuda {

/// A thread block works on a region; one that splits launches a grid of r x r x r thread blocks, one for each
/// part. Thread block b of the first grid has region `first_root` + b of level 0, and the others have the
/// part that their index in the grid is of `parent`.
extern "C" __global__ void __launch_bounds__(kMaxVolumeThreads)
    loom_volume_dp(const __grid_constant__ VolumeTask task, std::uint32_t level, std::uint32_t first_root,
                   Coord3 parent) {
  const std::uint32_t r = task.cut.r;
  const std::uint32_t parts = task.cut.parts_at(level);
  const Coord3 place =
      level == 0 ? place_of(RegionOrder::kCanonical, parts, first_root + blockIdx.x)
                 : Coord3{parent.x * r + blockIdx.x, parent.y * r + blockIdx.y, parent.z * r + blockIdx.z};
  if (!work_on_region(task, level, volume_region_at(task.cut.size, parts, place))) return;
  if (threadIdx.x != 0) return;
  loom_volume_dp<<<dim3(r, r, r), threads_of_region(task.cut, level + 1), 0, cudaStreamFireAndForget>>>(
      task, level + 1, 0, place);
  atomicAdd(task.launches, 1ull);
  const cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess) atomicCAS(task.launch_error, 0, static_cast<int>(error));
}

}  // namespace loom::cuda
