#pragma once

#include <cstdint>

#include "compute/cuda/device_buffer.h"
#include "compute/cuda/launch_slices.h"
#include "compute/cuda/life/cells.h"
#include "compute/cuda/life/image_buffer.h"
#include "compute/cuda/stream.h"
#include "compute/engine/pixel_lookup.h"
#include "compute/engine/progress_monitor.h"

namespace loom::cuda {

/// Resolves viewports into kDensity16 images in device memory; owns the buffers for it.
///
/// If a pixel covers few cells, each pixel gathers its own cells (pixel -> cell -> storage). If it covers
/// many, every tile of the fractal adds its cells to the pixels that cover them, so that each cell is read
/// once and the cost does not depend on the image. Both count exactly the cells that Viewport assigns to a
/// pixel and give the same image.
class Resolver {
 public:
  /// Allocates memory for a viewport's image, so that resolve() does not.
  void reserve(const Viewport& viewport);
  /// Enqueues the work. The result is pixels(), width * height values. The edges are transferred to the
  /// device only if they changed; the stream must be synchronized before the next call. A monitored call
  /// waits between slices if there are several. Throws OperationCancelled.
  void resolve(const StoredCells& cells, const Viewport& viewport, ProgressMonitor* monitor,
               const LaunchSlices& slices, const Stream& stream);
  const std::uint16_t* pixels() const { return memory_.pixels(); }
  /// Computes only the sums of a partition's image: the number of held cells of each pixel in the high half,
  /// the number of living ones, or the sum of their brightness(), in the low half, in device memory.
  /// Otherwise as resolve().
  const unsigned long long* count_pixels(const StoredCells& cells, const Viewport& viewport,
                                         ProgressMonitor* monitor, const LaunchSlices& slices,
                                         const Stream& stream);

 private:
  /// Every held tile adds its cells to counts_.
  void scatter(const StoredCells& cells, const DeviceViewport& view, std::size_t area,
               ProgressMonitor* monitor, const LaunchSlices& slices, const Stream& stream);

  ImageBuffer memory_;
  DeviceBuffer<unsigned long long> counts_;  ///< cells in the high half, living cells in the low half
};

/// Enqueues the split of such sums of `area` pixels into two arrays, one per half.
void take_counts_apart(const unsigned long long* counts, std::uint64_t area, unsigned long long* cells,
                       unsigned long long* living, const Stream& stream);

}  // namespace loom::cuda
