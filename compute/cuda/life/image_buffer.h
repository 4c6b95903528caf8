#pragma once

#include <cstddef>
#include <cstdint>

#include "compute/cuda/device_buffer.h"
#include "compute/cuda/stream.h"
#include "compute/engine/pixel_lookup.h"

namespace loom::cuda {

/// A viewport in device memory.
struct DeviceViewport {
  PixelAxis columns;
  PixelAxis rows;
  std::uint32_t states = 2;  ///< Viewport::states
};

/// An image in device memory with the edges of its pixels.
class ImageBuffer {
 public:
  /// Allocates memory for a viewport's image, so that send() does not.
  void reserve(const Viewport& viewport);
  /// Enqueues the transfer of the edges if they differ from the last call's (`changed` is set accordingly).
  /// The stream must be synchronized before the next call.
  DeviceViewport send(const Viewport& viewport, const Stream& stream, bool& changed);
  /// The next send() transfers the edges.
  void invalidate_edges() { columns_sent_ = 0; }
  std::uint16_t* pixels() const { return pixels_.data(); }

  static std::size_t area_of(const Viewport& viewport) {
    return static_cast<std::size_t>(viewport.width()) * static_cast<std::size_t>(viewport.height());
  }

 private:
  DeviceBuffer<std::uint16_t> pixels_;
  DeviceBuffer<std::int64_t> edges_;  ///< x_edges, then y_edges
  PinnedBuffer<std::int64_t> staging_;
  std::size_t columns_sent_ = 0;  ///< number of columns in edges_; 0: none
  std::size_t rows_sent_ = 0;
};

/// Whether every pixel covers so few cells that a search per pixel is cheaper than one pass over all cells.
bool covers_few_cells(const Viewport& viewport);

}  // namespace loom::cuda
