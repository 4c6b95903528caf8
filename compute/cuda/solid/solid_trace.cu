#include "compute/cuda/check.h"
#include "compute/cuda/solid/solid_kernels.h"

namespace loom::cuda {
namespace {

constexpr unsigned kSide = 8;  // neighbouring rays go through the same boxes

__global__ void __launch_bounds__(kSide* kSide)
    solid_trace_kernel(const __grid_constant__ SolidScene scene, const __grid_constant__ SolidView view,
                       const std::uint8_t* __restrict__ cells, std::uint32_t* __restrict__ pixels) {
  const int column = static_cast<int>(blockIdx.x * kSide + threadIdx.x);
  const int row = static_cast<int>(blockIdx.y * kSide + threadIdx.y);
  if (column >= view.width || row >= view.height) return;
  pixels[static_cast<std::size_t>(row) * static_cast<std::size_t>(view.width) + column] =
      solid_pixel(scene, view, PixelWidth(view), cells, column, row);
}

__global__ void solid_pick_kernel(const __grid_constant__ SolidScene scene,
                                  const __grid_constant__ SolidView view,
                                  const std::uint8_t* __restrict__ cells, int column, int row,
                                  SolidHit* __restrict__ hit) {
  *hit = trace_pixel(scene, view, cells, column, row);
}

}  // namespace

void trace_solid(const SolidScene& scene, const SolidView& view, const std::uint8_t* cells,
                 std::uint32_t* pixels, const Stream& stream) {
  const auto blocks = [](int pixels_of_axis) {
    return (static_cast<unsigned>(pixels_of_axis) + kSide - 1) / kSide;
  };
  const dim3 grid(blocks(view.width), blocks(view.height));
  solid_trace_kernel<<<grid, dim3(kSide, kSide), 0, stream.get()>>>(scene, view, cells, pixels);
  LOOM_CUDA(cudaGetLastError());
}

void pick_solid(const SolidScene& scene, const SolidView& view, const std::uint8_t* cells, int column,
                int row, SolidHit* hit, const Stream& stream) {
  solid_pick_kernel<<<1, 1, 0, stream.get()>>>(scene, view, cells, column, row, hit);
  LOOM_CUDA(cudaGetLastError());
}

}  // namespace loom::cuda
