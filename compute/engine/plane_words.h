#pragma once

#include <cstdint>

#include "compute/core/coord.h"
#include "compute/core/host_device.h"
#include "compute/engine/plane_tree.h"
#include "compute/workload/random_start.h"
#include "compute/workload/reduction.h"
#include "compute/workload/single_write.h"

namespace loom {

// Operations of workloads other than life on the word of one plane of one group. They work on whole words,
// because the cells of a word differ only in the contribution of their bit. `slot` words have the group's
// bits from bit 0 on.

/// A group with the contribution of its digits to its cells' coordinates and index.
struct PlaneGroup {
  std::uint64_t index = 0;  ///< contribution to the canonical index
  Coord<std::int64_t> corner = {0, 0};
};
LOOM_HOST_DEVICE PlaneGroup plane_group(const PlaneTree& tiles, std::uint32_t group) {
  return {tiles.planes.index_of_group(group), tiles.corner(0, group + tiles.planes.first_group)};
}

LOOM_HOST_DEVICE Coord<std::int64_t> cell_of_bit(const PlaneTree& tiles, const PlaneGroup& group,
                                                 std::uint32_t plane, std::uint32_t bit) {
  return {group.corner.x + tiles.plane_x[plane] + std::int64_t{tiles.bit_x[bit]} * tiles.tile_x.value(),
          group.corner.y + tiles.plane_y[plane] + std::int64_t{tiles.bit_y[bit]} * tiles.tile_y.value()};
}

LOOM_HOST_DEVICE std::uint64_t random_slot(const PlaneTree& tiles, const PlaneGroup& group,
                                           std::uint32_t plane, std::uint64_t seed, std::uint64_t threshold) {
  std::uint64_t slot = 0;
  const std::uint64_t index = group.index + tiles.plane_index[plane];
  for (std::uint32_t bit = 0; bit < tiles.planes.bits; ++bit)
    slot |= std::uint64_t{random_cell(seed, index + tiles.bit_index[bit], threshold)} << bit;
  return slot;
}

LOOM_HOST_DEVICE std::uint64_t single_write_slot(const PlaneTree& tiles, const PlaneGroup& group,
                                                 std::uint32_t plane, std::uint32_t generation) {
  std::uint64_t slot = 0;
  for (std::uint32_t bit = 0; bit < tiles.planes.bits; ++bit)
    slot |= std::uint64_t{single_write_value(cell_of_bit(tiles, group, plane, bit), generation)} << bit;
  return slot;
}

/// Calls `visit(bit)` for each bit that is set.
template <typename Visit>
LOOM_HOST_DEVICE void for_each_bit(std::uint64_t slot, const Visit& visit) {
  while (slot != 0) {
#if defined(__CUDA_ARCH__)
    visit(static_cast<std::uint32_t>(__ffsll(static_cast<long long>(slot)) - 1));
#else
    visit(static_cast<std::uint32_t>(__builtin_ctzll(slot)));
#endif
    slot &= slot - 1;
  }
}

LOOM_HOST_DEVICE std::uint64_t hash_of_slot(const PlaneTree& tiles, const PlaneGroup& group,
                                            std::uint32_t plane, std::uint64_t slot) {
  std::uint64_t hash = 0;
  const std::uint64_t index = group.index + tiles.plane_index[plane];
  for_each_bit(slot, [&](std::uint32_t bit) { hash += hash_term(index + tiles.bit_index[bit]); });
  return hash;
}

LOOM_HOST_DEVICE std::uint64_t sum_of_slot(const PlaneTree& tiles, const PlaneGroup& group,
                                           std::uint32_t plane, std::uint64_t slot) {
  std::uint64_t sum = 0;
  for_each_bit(slot,
               [&](std::uint32_t bit) { sum += reduction_value(cell_of_bit(tiles, group, plane, bit), 1); });
  return sum;
}

}  // namespace loom
