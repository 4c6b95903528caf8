#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "compute/core/image_view.h"
#include "compute/engine/watch.h"
#include "compute/split/part_exchange.h"
#include "compute/split/part_threads.h"

namespace loom {

/// Composes an image of all partitions: each counts its own cells under every pixel, and the counts are
/// added.
class PartPicture {
 public:
  virtual ~PartPicture() = default;

  /// Allocates memory, so that begin() does not.
  virtual void reserve(std::span<FractalPart* const> parts, const Viewport& viewport, MemorySpace space) = 0;
  /// Begins an image of the cells after all work that was begun. On devices it is enqueued. Throws Cancelled.
  /// Only one image may be in progress until end().
  virtual void begin(std::span<FractalPart* const> parts, const Viewport& viewport, MemorySpace space,
                     Watch* watch) = 0;
  /// Waits for the image. This object owns it. Also returns the duration.
  struct Made {
    ImageView image;
    double milliseconds = 0;
  };
  virtual Made end() = 0;
  /// Whether begin() returns before the image is complete.
  virtual bool is_enqueued() const = 0;
};

/// Composition in host memory, for partitions of any kind and in several processes. Partitions count
/// concurrently on `threads`; null: one after the other. Both arguments must outlive the object.
std::unique_ptr<PartPicture> make_host_picture(PartExchange& exchange, PartThreads* threads);

}  // namespace loom
