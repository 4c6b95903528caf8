#pragma once

#include <cstddef>
#include <cstdint>

#include "compute/cuda/device_buffer.h"
#include "compute/cuda/stream.h"
#include "compute/engine/pixel_lookup.h"
#include "compute/engine/viewport.h"

namespace loom::cuda {

/// A viewport in device memory.
struct DeviceViewport {
  PixelAxis columns;
  PixelAxis rows;
};

/// An image in device memory and the edges of its pixels there.
class PictureMemory {
 public:
  /// Makes room for a viewport's image, so that send() allocates nothing.
  void reserve(const Viewport& viewport);
  /// Enqueues the edges, where they are others than last time (`changed` becomes whether); until the stream
  /// has been waited for the next call must not come.
  DeviceViewport send(const Viewport& viewport, const Stream& stream, bool& changed);
  /// The next send() finds them changed.
  void forget_edges() { columns_sent_ = 0; }
  std::uint16_t* pixels() const { return pixels_.data(); }

  static std::size_t area_of(const Viewport& viewport) {
    return static_cast<std::size_t>(viewport.width()) * static_cast<std::size_t>(viewport.height());
  }

 private:
  DeviceBuffer<std::uint16_t> pixels_;
  DeviceBuffer<std::int64_t> edges_;  ///< x_edges, then y_edges
  PinnedBuffer<std::int64_t> staging_;
  std::size_t columns_sent_ = 0;  ///< of edges_; 0: none
  std::size_t rows_sent_ = 0;
};

/// Whether every pixel covers so few cells that searching under each pixel is cheaper than to read every cell
/// once.
bool covers_few_cells(const Viewport& viewport);

}  // namespace loom::cuda
