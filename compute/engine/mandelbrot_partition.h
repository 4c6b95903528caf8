#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "compute/engine/mandelbrot_engine.h"
#include "compute/mandelbrot/dwell_distribution.h"

namespace loom {

class MandelbrotPartition;
/// A partition and its rows of an image.
struct PartitionRows {
  MandelbrotPartition* part = nullptr;
  std::vector<RowRange> rows = {};
};

/// An engine that may be one of several partitions of an image (compute/distributed).
class MandelbrotPartition : public MandelbrotEngine {
 public:
  /// Sets the work distribution for the next computations that it applies to; null: rows are assigned
  /// round-robin. It must outlive them, and must be set again after a change.
  virtual void set_distribution(const DwellDistribution* distribution) = 0;
  /// Whether the next computations record the cost of each first region, if the method is ASK. Recording has
  /// a small cost.
  virtual void record_costs(bool note) = 0;
  /// The cost of each first region of the last computation, row by row; 0 for regions of other partitions.
  /// Empty if nothing was recorded.
  virtual std::span<const std::uint32_t> region_costs() const = 0;

  /// The complete image in `space`: this partition's image(), or smooth_image(), with the given rows of other
  /// partitions copied into it. Nothing if those images can only be accessed through the host.
  virtual std::optional<ImageView> whole_image(std::span<const PartitionRows> others, bool smooth,
                                               MemorySpace space) = 0;
};

}  // namespace loom
