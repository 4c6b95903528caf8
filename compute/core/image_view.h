#pragma once

#include <cstddef>
#include <cstdint>

struct CUstream_st;  // cudaStream_t points to it

namespace loom {

/// The memory that holds an image.
enum class MemorySpace { kHost, kCudaDevice };

/// The CUDA device whose memory holds some data, and the stream that orders the access to it. Without a
/// device, the data is in host memory.
struct DeviceStream {
  int device = -1;  ///< CUDA ordinal
  CUstream_st* handle = nullptr;
  explicit operator bool() const { return device >= 0; }
};

/// What one pixel of an integer image means. Compute writes values, never colours.
enum class PixelFormat {
  /// uint16: 0 where the pixel covers no cell of the fractal, otherwise 1 + round(65534 * living / cells). 1
  /// means that all covered cells are dead, 65535 that all are alive. Exact where the pixel covers one cell.
  kDensity16,
  /// uint16: the dwell of the pixel's point, from 0 to the dwell limit. The limit means that the point did
  /// not escape.
  kDwell16,
  /// uint32: the same for dwell limits above 65535.
  kDwell32,
  /// uint32: the smooth dwell times 65536, rounded down (compute/mandelbrot/smooth_dwell.h). 65536 times the
  /// dwell limit (for limits above 65535, a lower power of two: smooth_digits()) means that the point did not
  /// escape.
  kSmoothDwell32,
  /// uint32: what a ray through a three-dimensional fractal meets (compute/solid/solid_view.h).
  kSolid32,
};

/// A read-only view of an integer image that an engine owns. It is valid until the next call of the engine.
struct ImageView {
  const void* pixels = nullptr;
  PixelFormat format = PixelFormat::kDensity16;
  int width = 0;              ///< pixels
  int height = 0;             ///< pixels, row 0 on top
  std::size_t row_bytes = 0;  ///< bytes from one row to the next
  DeviceStream stream = {};   ///< on which the pixels were written
};

}  // namespace loom
