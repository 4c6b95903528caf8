#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "compute/core/coord.h"
#include "compute/core/error.h"
#include "compute/mandelbrot/mandelbrot_config.h"
#include "compute/mandelbrot/row_partition.h"
#include "compute/mandelbrot/subdivision.h"

namespace loom {

/// The largest number of entries of the OLTs. Level i is read from the table of its parity while level i + 1
/// is written to the other table; a level has at most as many entries as regions.
struct OltCapacity {
  std::uint64_t even = 0;
  std::uint64_t odd = 0;
};
/// `chained`: each first region of DP has an equal part of the tables.
OltCapacity olt_capacity(const Subdivision& cut, bool chained);

/// A region whose fill or leaf is left to several thread blocks (MBR).
struct RegionJob {
  static constexpr std::uint32_t kLeaf = 0xffffffff;
  Coord32 place;            ///< coordinate of the region in its level
  std::uint32_t dwell = 0;  ///< the fill value, or kLeaf
};

/// The largest number of jobs of a level, which is the number of regions of the last level.
std::uint64_t max_jobs(const Subdivision& cut);

/// The number of regions of all levels.
std::uint64_t max_regions(const Subdivision& cut);

/// The largest number of bytes that a computation needs for a valid configuration and view: dwells, OLTs,
/// region list. Saturates at 2^64 - 1.
std::uint64_t bytes_needed(const MandelbrotConfig& config, const MandelbrotView& view, bool regions_listed);

/// The same if only these rows are held.
std::uint64_t bytes_needed(const MandelbrotConfig& config, const MandelbrotView& view, bool regions_listed,
                           const std::vector<RowRange>& rows);

/// The error for a view that needs more bytes than are free.
CapacityError make_capacity_error(const MandelbrotView& view, std::uint64_t needed, std::uint64_t available);

/// Throws InputError if `dwells` values from `first_row` on are not whole rows of the view.
void check_rows(const MandelbrotView& view, std::uint32_t first_row, std::size_t dwells);

/// Calls use(row, part) for those of the rows from `first_row` on, as many as `values` holds, that are in
/// `rows`: with the first row of each contiguous range and the values of the range.
template <typename Value, typename Use>
void for_rows_within(std::span<const RowRange> rows, const MandelbrotView& view, std::uint32_t first_row,
                     std::span<Value> values, const Use& use) {
  const auto end_row = static_cast<std::uint32_t>(first_row + values.size() / view.width);
  for (const RowRange& range : rows) {
    const std::uint32_t first = std::max(range.first, first_row);
    const std::uint32_t end = std::min(range.end, end_row);
    if (first >= end) continue;
    use(first,
        values.subspan(std::size_t{first - first_row} * view.width, std::size_t{end - first} * view.width));
  }
}

}  // namespace loom
