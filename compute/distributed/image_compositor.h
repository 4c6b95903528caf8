#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

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

/// An engine over `count` partitions of all processes, of which `parts` are this process's own, at least one.
/// `picture` composes images from device memory; null, or if partitions do not support it: images are
/// composed in host memory.
std::unique_ptr<FractalEngine> make_distributed_engine(const FractalConfig& config,
                                                       std::vector<std::unique_ptr<FractalPartition>> parts,
                                                       std::uint32_t count,
                                                       std::unique_ptr<HaloExchange> exchange,
                                                       std::unique_ptr<ImageCompositor> picture = nullptr);
/// The largest number of generations between two exchanges of such an engine.
std::uint32_t max_generations_per_exchange(const FractalEngine& distributed);

}  // namespace loom
