#pragma once

#include <cstdint>
#include <vector>

#include "compute/cuda/device_buffer.h"
#include "compute/cuda/life/cells.h"
#include "compute/cuda/life/image_buffer.h"
#include "compute/cuda/stream.h"
#include "compute/engine/plane_tree.h"
#include "compute/engine/progress_monitor.h"

namespace loom::cuda {

/// Resolves viewports of bit planes into kDensity16 images in device memory. If pixels cover few cells, each
/// pixel gathers its own cells; otherwise tree nodes within a pixel are added as a whole by their known
/// numbers of living cells, and nodes that span several pixels are subdivided (engine/plane_tree.h). Both
/// give the same image.
class PlaneResolver {
 public:
  explicit PlaneResolver(const PlaneTree& tiles);
  /// Allocates memory for a viewport's image and, at the first call, for the living cells of all tree nodes,
  /// so that resolve() does not allocate.
  void reserve(const Viewport& viewport);
  /// Whether reserve() was called: images are requested, so that a step should count its groups.
  bool reserved() const { return living_.size() > 0; }
  /// The living cells of each group, for a step to write.
  std::uint16_t* living() const { return living_.data(); }
  /// Sets which of the stored counts match the next cells.
  void set_count_state(CountState counted) { count_state_ = counted; }
  /// Enqueues the work, including missing counts. The stream must be synchronized before the next call.
  void resolve(const StoredCells& cells, const Viewport& viewport, const Stream& stream);
  const std::uint16_t* pixels() const { return memory_.pixels(); }
  /// Enqueues only the sums of an image: held cells and living ones per pixel, both in device memory.
  struct PixelSums {
    const unsigned long long* cells;
    const unsigned long long* living;
    bool other_cells;  ///< whether `cells` may differ from the last call's
  };
  PixelSums count_pixels(const StoredCells& cells, const Viewport& viewport, const Stream& stream);

 private:
  /// Enqueues the sums for a viewport in device memory; `changed`: it differs from the last one.
  void count_pixels(const StoredCells& cells, const Viewport& viewport, const DeviceViewport& view,
                    bool changed, const Stream& stream);
  /// Finds the nodes of one height that overlap a viewport.
  void find_visible(const Viewport& viewport);

  PlaneTree tiles_;
  ImageBuffer memory_;
  CountState count_state_ = CountState::kNothing;
  DeviceBuffer<std::uint16_t> living_;
  DeviceBuffer<std::uint64_t> living_above_;
  DeviceBuffer<std::uint64_t> bits_before_;  ///< for x, then for y
  DeviceBuffer<unsigned long long> pixel_living_;
  DeviceBuffer<unsigned long long> pixel_cells_;  ///< for the viewport; valid until it changes
  std::vector<std::uint32_t> visible_;
  std::vector<std::uint32_t> next_visible_;
  int visible_height_ = 0;
  DeviceBuffer<std::uint32_t> device_visible_;
  PinnedBuffer<std::uint32_t> visible_staging_;
};

}  // namespace loom::cuda
