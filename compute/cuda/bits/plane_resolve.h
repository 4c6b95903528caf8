#pragma once

#include <cstdint>
#include <vector>

#include "compute/cuda/device_buffer.h"
#include "compute/cuda/life/cells.h"
#include "compute/cuda/life/picture_memory.h"
#include "compute/cuda/stream.h"
#include "compute/engine/plane_tiles.h"
#include "compute/engine/watch.h"

namespace loom::cuda {

/// Resolves viewports of bit planes into kDensity16 images in device memory. Where pixels cover few cells
/// each gathers its own; else tiles within a pixel are added as a whole, by the living cells that are known
/// of them, and what lies across pixels is taken apart (engine/plane_tiles.h). The same image either way.
class PlaneResolver {
 public:
  explicit PlaneResolver(const PlaneTiles& tiles);
  /// Makes room for a viewport's image, and for the living of all tiles when called first, so that resolve()
  /// allocates nothing.
  void reserve(const Viewport& viewport);
  /// Whether reserve() was called: pictures are wanted, so a step should count its groups.
  bool reserved() const { return living_.size() > 0; }
  /// Of each group, for a step to write.
  std::uint16_t* living() const { return living_.data(); }
  /// How far the living that are held are those of the cells that come next.
  void set_counted(Counted counted) { counted_ = counted; }
  /// Enqueues the work. Counts what is not counted yet, where that is needed. Until the stream has been
  /// waited for the next call must not come.
  void resolve(const StoredCells& cells, const Viewport& viewport, const Stream& stream);
  const std::uint16_t* pixels() const { return memory_.pixels(); }
  /// Enqueues the sums of a picture alone, of each pixel the cells held and the living, device memory both.
  struct PixelSums {
    const unsigned long long* cells;
    const unsigned long long* living;
    bool other_cells;  ///< than those that came last
  };
  PixelSums count_pixels(const StoredCells& cells, const Viewport& viewport, const Stream& stream);

 private:
  /// Enqueues the sums where the viewport lies on the device; `changed`: it is another than before.
  void count_pixels(const StoredCells& cells, const Viewport& viewport, const DeviceViewport& view,
                    bool changed, const Stream& stream);
  /// The tiles of one height that reach into a viewport.
  void find_visible(const Viewport& viewport);

  PlaneTiles tiles_;
  PictureMemory memory_;
  Counted counted_ = Counted::kNothing;
  DeviceBuffer<std::uint16_t> living_;
  DeviceBuffer<std::uint64_t> living_above_;
  DeviceBuffer<std::uint64_t> bits_before_;  ///< x, then y
  DeviceBuffer<unsigned long long> pixel_living_;
  DeviceBuffer<unsigned long long> pixel_cells_;  ///< of the viewport; as long as it is the same
  std::vector<std::uint32_t> visible_;
  std::vector<std::uint32_t> next_visible_;
  int visible_height_ = 0;
  DeviceBuffer<std::uint32_t> device_visible_;
  PinnedBuffer<std::uint32_t> visible_staging_;
};

}  // namespace loom::cuda
