#pragma once

#include <cstdint>
#include <type_traits>

#include "compute/core/coord.h"
#include "compute/core/host_device.h"
#include "compute/geometry/storage.h"
#include "compute/map/execution_scope.h"

namespace loom {

/// The storage whose numbering a counting pass uses to check threads, whatever storage the cells have.
/// Compact storage: the byte of a thread follows from its tile's grid coordinate alone, and the byte of the
/// cell that the map returned follows from nu. Expanded storage: for maps that give no tile coordinate; only
/// the cell itself can be checked.
template <typename Map>
using CountingStorage =
    std::conditional_t<Map::kExecutionScope == ExecutionScope::kEachThread ||
                           Map::kExecutionScope == ExecutionScope::kMatrixCells,
                       ExpandedStorage<typename Map::Index>, TiledCompactStorage<typename Map::Index>>;

/// Whether the cell that a thread's map returned belongs to the fractal and has the position `at`.
template <typename Storage, typename Int>
LOOM_HOST_DEVICE bool is_stored_at(const Storage& storage, Coord<Int> cell, std::uint64_t at) {
  const bool inside = cell.x < storage.tiled.width && cell.y < storage.tiled.height;
  return inside && storage.index_of(cell) == at;
}

}  // namespace loom
