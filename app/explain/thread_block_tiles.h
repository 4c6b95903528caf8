#pragma once

#include <cstdint>
#include <vector>

#include "app/explain/thread_space.h"
#include "compute/workload/life_neighbours.h"

namespace loom::app::explain {

/// A tile of a thread block.
struct PlacedTile {
  bool there = false;           ///< in the grid, and placed in the square
  std::uint64_t origin = 0;     ///< the byte of its corner
  Coord64 corner;               ///< its expanded coordinate
  TileNeighbours neighbours{};  ///< of compact storage
};

/// The tiles of a thread block, computed as in the kernels.
std::vector<PlacedTile> tiles_of(const ThreadSpace& space, Coord64 thread_block);

}  // namespace loom::app::explain
