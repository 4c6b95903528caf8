#pragma once

#include <cstddef>
#include <cstdint>

namespace loom {

/// The memory that holds an image.
enum class MemorySpace { kHost, kCudaDevice };

/// What one pixel of an integer image means. Compute writes values, never colours.
enum class PixelFormat {
  /// uint16: 0 where the pixel covers no cell of the fractal, otherwise 1 + round(65534 * living / cells). 1
  /// means that all covered cells are dead, 65535 that all are alive. Exact where the pixel covers one cell.
  kDensity16,
  /// uint16: the dwell of the pixel's point, from 0 to the dwell limit. The limit means that the point did
  /// not escape.
  kDwell16,
  /// uint32: the smooth dwell times 65536, rounded down (compute/mandelbrot/smooth_dwell.h). 65536 times the
  /// dwell limit means that the point did not escape.
  kSmoothDwell32,
};

/// A read-only view of an integer image that an engine owns. It is valid until the next call of the engine.
struct ImageView {
  const void* pixels = nullptr;
  PixelFormat format = PixelFormat::kDensity16;
  int width = 0;              ///< pixels
  int height = 0;             ///< pixels, row 0 on top
  std::size_t row_bytes = 0;  ///< bytes from one row to the next
  MemorySpace space = MemorySpace::kHost;
  int cuda_device = -1;         ///< ordinal, where space is kCudaDevice
  void* cuda_stream = nullptr;  ///< cudaStream_t on which the pixels were written, where space is kCudaDevice
};

}  // namespace loom
