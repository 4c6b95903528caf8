#include "compute/cuda/check.h"
#include "compute/cuda/mandelbrot/mandelbrot.h"
#include "compute/perturbation/perturbed.h"

namespace loom::cuda {
namespace {

/// The first `lanes` threads of each warp, which is a thread block, compute a pixel.
template <bool kWide, bool kSeries>
__global__ void __launch_bounds__(32, kSeries ? 12 : 16)
    correct_kernel(const __grid_constant__ Perturbed<DoubleDouble, kWide, true> grid, Coord32* pixels,
                   std::uint64_t first, std::uint64_t end, std::uint32_t lanes,
                   DeviceImage<std::uint32_t> image, std::uint32_t limit, unsigned long long* undecided) {
  const std::uint64_t i = first + std::uint64_t{blockIdx.x} * lanes + threadIdx.x;
  if (threadIdx.x >= lanes || i >= end) return;
  const Coord32 pixel = pixels[i];
  const OrbitResult<DoubleDouble> orbit = grid.template run<kSeries>(pixel.x, pixel.y, limit);
  image.at(pixel.x, pixel.y) = orbit.dwell;
  if (orbit.uncertain) {
    atomicAdd(undecided, 1ull);
  } else {
    pixels[i] = kDecidedPixel;
  }
}

}  // namespace

template <bool kWide>
void correct_pixels(const Perturbed<DoubleDouble, kWide, true>& grid, Coord32* pixels, std::uint64_t count,
                    const DeviceImage<std::uint32_t>& image, std::uint32_t limit, std::uint32_t steps,
                    unsigned long long* undecided, const LaunchSlices& slices, const Stream& stream) {
  // An iteration takes about this many times as long as one with a double, and there are up to twice as many.
  constexpr std::uint32_t kTimes = 16;
  // Without series steps, their registers slow the others down.
  auto* kernel = correct_kernel<kWide, false>;
  if constexpr (!kWide) {
    if (grid.series_of != nullptr) kernel = correct_kernel<kWide, true>;
  }
  slices.each(count, std::uint64_t{steps} * kTimes, [&](std::uint64_t first, std::uint64_t end) {
    const std::uint32_t lanes = lanes_of_warp(end - first, slices);
    const auto blocks = static_cast<unsigned>((end - first + lanes - 1) / lanes);
    kernel<<<blocks, 32, 0, stream.get()>>>(grid, pixels, first, end, lanes, image, limit, undecided);
    LOOM_CUDA(cudaGetLastError());
  });
}

#define LOOM_INSTANTIATE(kWide)                                                                      \
  template void correct_pixels(const Perturbed<DoubleDouble, kWide, true>&, Coord32*, std::uint64_t, \
                               const DeviceImage<std::uint32_t>&, std::uint32_t, std::uint32_t,      \
                               unsigned long long*, const LaunchSlices&, const Stream&);
LOOM_INSTANTIATE(false)
LOOM_INSTANTIATE(true)
#undef LOOM_INSTANTIATE

}  // namespace loom::cuda
