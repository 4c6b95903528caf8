#pragma once

#include <cstdint>

#include "compute/core/coord.h"
#include "compute/mandelbrot/mandelbrot_config.h"
#include "compute/mandelbrot/subdivision.h"

namespace loom {

/// The most entries that the OLTs can hold. Level i is read from the table of its parity while level i + 1 is
/// written to the other; none can pass the number of regions of its level.
struct OltCapacity {
  std::uint64_t even = 0;
  std::uint64_t odd = 0;
};
OltCapacity olt_capacity(const Subdivision& cut);

/// A region whose fill or leaf is left to several blocks (MBR).
struct RegionJob {
  static constexpr std::uint32_t kLeaf = 0xffffffff;
  Coord32 place;            ///< of the region among those of its level
  std::uint32_t dwell = 0;  ///< to fill it with, or kLeaf
};

/// Jobs of a level: no more than regions of the last level.
std::uint64_t most_jobs(const Subdivision& cut);

/// Regions of all levels together.
std::uint64_t most_regions(const Subdivision& cut);

}  // namespace loom
