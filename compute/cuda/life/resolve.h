#pragma once

#include <cstdint>

#include "compute/cuda/device_buffer.h"
#include "compute/cuda/stream.h"
#include "compute/engine/viewport.h"
#include "compute/geometry/blocked_fractal.h"
#include "compute/map/map_kind.h"

namespace loom::cuda {

/// Resolves viewports into kDensity16 images in device memory; keeps the buffers that this takes.
///
/// Where a pixel covers few cells each pixel gathers its own (pixel -> cell -> storage). Where it covers
/// many, every block of the fractal adds its cells to the pixels they fall into, so that each cell is read
/// once and the cost does not depend on the picture. Both count exactly the cells that Viewport assigns to a
/// pixel and give the same image.
class Resolver {
 public:
  /// How a viewport is resolved; kAuto picks by the largest pixel. Tests compare the two.
  enum class Method { kAuto, kGather, kScatter };

  /// Enqueues the work. The result is pixels(), width * height values. Allocates only when the image grows.
  void resolve(MapKind map, const BlockedFractal& fractal, const std::uint8_t* cells,
               const Viewport& viewport, const Stream& stream, Method method = Method::kAuto);
  const std::uint16_t* pixels() const { return pixels_.data(); }

 private:
  DeviceBuffer<std::uint16_t> pixels_;
  DeviceBuffer<unsigned long long> counts_;  ///< cells in the high half, living cells in the low half
  DeviceBuffer<std::int64_t> edges_;         ///< x_edges, then y_edges
  PinnedBuffer<std::int64_t> staging_;
};

}  // namespace loom::cuda
