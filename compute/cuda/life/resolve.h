#pragma once

#include <cstdint>

#include "compute/cuda/device_buffer.h"
#include "compute/cuda/launch_slices.h"
#include "compute/cuda/life/cells.h"
#include "compute/cuda/life/picture_memory.h"
#include "compute/cuda/stream.h"
#include "compute/engine/viewport.h"
#include "compute/engine/watch.h"

namespace loom::cuda {

/// Resolves viewports into kDensity16 images in device memory; keeps the buffers that this takes.
///
/// Where a pixel covers few cells each pixel gathers its own (pixel -> cell -> storage). Where it covers
/// many, every block of the fractal adds its cells to the pixels they fall into, so that each cell is read
/// once and the cost does not depend on the picture. Both count exactly the cells that Viewport assigns to a
/// pixel and give the same image.
class Resolver {
 public:
  /// Makes room for a viewport's image, so that resolve() allocates nothing.
  void reserve(const Viewport& viewport);
  /// Enqueues the work. The result is pixels(), width * height values. The edges are sent to the device only
  /// where they are others than last time; until the stream has been waited for the next call must not come.
  /// A watched call waits between slices where there are several. Throws Cancelled.
  void resolve(const StoredCells& cells, const Viewport& viewport, Watch* watch, const LaunchSlices& slices,
               const Stream& stream);
  const std::uint16_t* pixels() const { return memory_.pixels(); }
  /// The sums of a picture of a part alone, likewise: of each pixel the cells held in the high half, the
  /// living in the low half, in device memory.
  const unsigned long long* count_pixels(const StoredCells& cells, const Viewport& viewport, Watch* watch,
                                         const LaunchSlices& slices, const Stream& stream);

 private:
  /// Every block that is held adds its cells to counts_.
  void scatter(const StoredCells& cells, const DeviceViewport& view, std::size_t area, Watch* watch,
               const LaunchSlices& slices, const Stream& stream);

  PictureMemory memory_;
  DeviceBuffer<unsigned long long> counts_;  ///< cells in the high half, living cells in the low half
};

/// Enqueues the halves of such sums of `area` pixels into an array each.
void take_counts_apart(const unsigned long long* counts, std::uint64_t area, unsigned long long* cells,
                       unsigned long long* living, const Stream& stream);

}  // namespace loom::cuda
