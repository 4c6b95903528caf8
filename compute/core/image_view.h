#pragma once

#include <cstddef>
#include <cstdint>

namespace loom {

/// Where an image's bytes lie.
enum class MemorySpace { kHost, kCudaDevice };

/// What one pixel of an integer image means. Compute writes values, never colours.
enum class PixelFormat {
  /// uint16: 0 = no cell of the fractal in the pixel; else 1 + round(65534 * living / cells), so 1 = all its
  /// cells dead and 65535 = all alive. Exact whenever the pixel covers one cell.
  kDensity16,
  /// uint16: the dwell of the pixel's point, 0 to the dwell limit; at the limit it did not escape.
  kDwell16,
  /// uint32: 65536 times the smooth dwell, rounded down (compute/mandelbrot/smooth_dwell.h); at 65536 times
  /// the dwell limit it did not escape.
  kSmoothDwell32,
};

/// A read-only view of an integer image that an engine owns; valid until the engine's next call.
struct ImageView {
  const void* pixels = nullptr;
  PixelFormat format = PixelFormat::kDensity16;
  int width = 0;              ///< pixels
  int height = 0;             ///< pixels, row 0 on top
  std::size_t row_bytes = 0;  ///< distance between rows
  MemorySpace space = MemorySpace::kHost;
  int cuda_device = -1;         ///< ordinal, where space is kCudaDevice
  void* cuda_stream = nullptr;  ///< cudaStream_t on which the pixels were written, where space is kCudaDevice
};

}  // namespace loom
