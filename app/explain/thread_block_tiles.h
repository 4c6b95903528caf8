#pragma once

#include <cstdint>
#include <vector>

#include "app/explain/thread_space.h"
#include "compute/workload/life_neighbours.h"

namespace loom::app::explain {

/// A tile of a thread block.
struct PlacedTile {
  bool there = false;           ///< the tile is in the grid and has a position in the square
  std::uint64_t origin = 0;     ///< byte offset of its corner
  Coord64 corner;               ///< its expanded coordinates
  TileNeighbours neighbours{};  ///< only for compact storage
};

/// The tiles of a thread block, computed as in the kernels.
std::vector<PlacedTile> tiles_of(const ThreadSpace& space, Coord64 thread_block);

}  // namespace loom::app::explain
