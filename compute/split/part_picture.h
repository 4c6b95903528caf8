#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "compute/core/image_view.h"
#include "compute/engine/watch.h"
#include "compute/split/part_exchange.h"
#include "compute/split/part_threads.h"

namespace loom {

/// A picture of all parts: each counts its own cells under every pixel, and the sums of all are added up.
class PartPicture {
 public:
  virtual ~PartPicture() = default;

  /// Makes room, so that begin() allocates nothing.
  virtual void reserve(std::span<FractalPart* const> parts, const Viewport& viewport, MemorySpace space) = 0;
  /// Begins it; of the cells as they are after all that has been begun. On devices it is enqueued. Throws
  /// Cancelled. Until end() no other begins.
  virtual void begin(std::span<FractalPart* const> parts, const Viewport& viewport, MemorySpace space,
                     Watch* watch) = 0;
  /// Waits for it. The image is this object's; how long it took.
  struct Made {
    ImageView image;
    double milliseconds = 0;
  };
  virtual Made end() = 0;
  /// Whether begin() returns before it is made.
  virtual bool is_enqueued() const = 0;
};

/// In host memory, for parts of any kind and in several processes. Parts count at the same time on `threads`,
/// null: one after the other. Both outlive it.
std::unique_ptr<PartPicture> make_host_picture(PartExchange& exchange, PartThreads* threads);

}  // namespace loom
