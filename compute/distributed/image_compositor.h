#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "compute/core/image_view.h"
#include "compute/distributed/fractal_partition.h"
#include "compute/distributed/partitioning.h"
#include "compute/engine/progress_monitor.h"

namespace loom {

/// Composes an image of all partitions: each counts its own cells under every pixel, and the counts are
/// added.
class ImageCompositor {
 public:
  virtual ~ImageCompositor() = default;

  /// Allocates memory, so that begin() does not.
  virtual void reserve(std::span<FractalPartition* const> parts, const Viewport& viewport,
                       MemorySpace space) = 0;
  /// Begins an image of the cells after all work that was begun. On devices it is enqueued. Throws
  /// OperationCancelled. Only one image may be in progress until end().
  virtual void begin(std::span<FractalPartition* const> parts, const Viewport& viewport, MemorySpace space,
                     ProgressMonitor* monitor) = 0;
  /// Waits for the image. This object owns it. Also returns the duration.
  struct Result {
    ImageView image;
    double milliseconds = 0;
  };
  virtual Result end() = 0;
  /// Whether begin() returns before the image is complete.
  virtual bool is_enqueued() const = 0;
};

/// Composition in host memory, for partitions of any kind and in several processes. Partitions count
/// concurrently on `threads`; null: one after the other. Both arguments must outlive the object.
std::unique_ptr<ImageCompositor> make_host_compositor(HaloExchange& exchange, PartitionThreads* threads);

}  // namespace loom
