#pragma once

#include <cstdint>
#include <type_traits>

#include "compute/core/coord.h"
#include "compute/core/host_device.h"
#include "compute/geometry/storage.h"
#include "compute/map/computed_by.h"

namespace loom {

/// The storage whose numbering a counting pass checks threads by, whatever storage the cells are in: compact,
/// where the byte of a thread follows from its block's number in the grid alone, and the byte of the cell
/// that it was led to from nu; expanded where a map gives no place of a block, which leaves the cell itself.
template <typename Map>
using CountingStorage =
    std::conditional_t<Map::kComputedBy == ComputedBy::kEachThread ||
                           Map::kComputedBy == ComputedBy::kMatrixCells,
                       ExpandedStorage<typename Map::Index>, BlockedCompactStorage<typename Map::Index>>;

/// Whether the cell that a thread was led to is one of the fractal's and has the byte `at`.
template <typename Storage, typename Int>
LOOM_HOST_DEVICE bool is_stored_at(const Storage& storage, Coord<Int> cell, std::uint64_t at) {
  const bool inside = cell.x < storage.blocked.width && cell.y < storage.blocked.height;
  return inside && storage.index_of(cell) == at;
}

}  // namespace loom
