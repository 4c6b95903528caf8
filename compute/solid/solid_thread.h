#pragma once

#include <cstdint>

#include "compute/solid/solid_config.h"

namespace loom {

/// A thread of the launch: the number of its tile in the grid, and its index in the tile.
struct SolidThreadRef {
  std::uint64_t tile = 0;
  std::uint32_t thread = 0;
  friend bool operator==(const SolidThreadRef&, const SolidThreadRef&) = default;
};

/// The place of such a thread in the CUDA launch.
struct SolidThreadPlace {
  std::uint64_t block = 0;  ///< thread block
  std::uint32_t slot = 0;   ///< index of the tile in its thread block
  std::uint32_t round = 0;  ///< tiles of the CUDA thread before this one
  std::uint32_t rank = 0;   ///< threadIdx.x
};

/// The thread that has a cell; `cell` must be a cell, not a hole.
LOOM_HOST_DEVICE SolidThreadRef thread_of(const SolidMap& map, Coord3 cell) {
  const TiledSolid& tiled = map.tiled;
  const Coord3 rho = tiled.rho;
  const Coord3 place{cell.x / rho.x, cell.y / rho.y, cell.z / rho.z};
  const Coord3 at{cell.x - place.x * rho.x, cell.y - place.y * rho.y, cell.z - place.z * rho.z};
  const auto point = static_cast<std::uint32_t>(index_in(rho, at));
  if (map.is_box()) return {index_in(tiled.grid, place), point};
  SolidThreadRef thread{map.tile_at(place), point};
  if (map.intra_block == IntraBlock::kLookup) {
    // The table lists the cells of a tile row by row.
    thread.thread = 0;
    for (std::uint32_t before = 0; before < point; ++before) thread.thread += tiled.micro_member(before);
  } else if (map.intra_block == IntraBlock::kUnrolled) {
    const auto side = [&](int digits) {
      std::uint32_t power = 1;
      for (int i = 0; i < digits; ++i) power *= tiled.transform.shape.k;
      return power;
    };
    const int levels = tiled.tile_level;
    const Coord3 box{side((levels + 2) / 3), side((levels + 1) / 3), side(levels / 3)};
    thread.thread = static_cast<std::uint32_t>(index_in(box, nu_map(tiled.transform, levels, at).omega));
  }
  return thread;
}

LOOM_HOST_DEVICE SolidThreadPlace place_of(const SolidMap& map, SolidTiling tiling, SolidThreadRef thread) {
  SolidThreadPlace place;
  place.block = thread.tile / tiling.tiles;
  place.slot = static_cast<std::uint32_t>(thread.tile - place.block * tiling.tiles);
  place.round = place.slot % tiling.rounds;
  place.rank = place.slot / tiling.rounds * map.threads_per_tile() + thread.thread;
  return place;
}

}  // namespace loom
