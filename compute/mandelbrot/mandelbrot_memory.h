#pragma once

#include <cstddef>
#include <cstdint>

#include "compute/core/coord.h"
#include "compute/core/error.h"
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

/// Bytes that a computation takes at most for a valid configuration and view: dwells, OLTs, region list.
/// Saturates at 2^64 - 1.
std::uint64_t bytes_needed(const MandelbrotConfig& config, const MandelbrotView& view, bool regions_listed);

/// The complaint where bytes_needed() are not free.
CapacityError does_not_fit(const MandelbrotView& view, std::uint64_t needed, std::uint64_t available);

/// Throws InputError where `dwells` values from `first_row` on are not whole rows of the view.
void check_rows(const MandelbrotView& view, std::uint32_t first_row, std::size_t dwells);

}  // namespace loom
