#pragma once

#include <cstdint>
#include <type_traits>

#include "compute/core/coord.h"
#include "compute/core/host_device.h"
#include "compute/geometry/bit_planes.h"
#include "compute/geometry/storage.h"
#include "compute/map/shuffle_arithmetic.h"
#include "compute/workload/game_of_life.h"

namespace loom {

/// The contribution of a cell to the reduction: 0 if it is dead, otherwise a weight from 1 to 8. The weight
/// depends on the coordinate, so that a thread with a wrong coordinate adds a wrong value. The sum over all
/// cells is an exact 64-bit integer.
template <typename Int>
LOOM_HOST_DEVICE std::uint32_t reduction_value(Coord<Int> cell, std::uint32_t alive) {
  return alive * (1u + (static_cast<std::uint32_t>(cell.x ^ cell.y) & 7u));
}
inline constexpr std::uint32_t kLargestReductionValue = 8;

/// The value, 0 or 1, that the workload single write gives the cell at an expanded coordinate in generation
/// `generation`: diagonal stripes eight cells wide that move by one cell per generation. The value depends on
/// the coordinate, so that a thread with a wrong coordinate writes a wrong value.
template <typename Int>
LOOM_HOST_DEVICE std::uint8_t single_write_value(Coord<Int> cell, std::uint32_t generation) {
  // Only the low bits matter, and they are correct after the wrap-around of a 32-bit sum.
  return static_cast<std::uint8_t>((static_cast<std::uint32_t>(cell.x + cell.y) + generation) >> 3 & 1u);
}

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

/// The next state of boundary cell `number` of a partition (geometry/partition.h). `boundary` and `beside`
/// are the positions of the cell and of its neighbours, own or halo cells, in a generation's memory.
template <typename Rule>
LOOM_HOST_DEVICE std::uint8_t next_boundary_state(const std::uint8_t* now, const std::uint64_t* boundary,
                                                  const std::uint64_t* beside, std::uint64_t size,
                                                  std::uint64_t number, const Rule& rule) {
  std::uint32_t living = 0;
  for (int d = 0; d < kDirections; ++d) {
    const std::uint64_t at = beside[static_cast<std::uint64_t>(d) * size + number];
    if (at != kNoIndex) living += living_of(rule, now[at]);
  }
  return next_state(rule, now[boundary[number]], living);
}

}  // namespace loom
