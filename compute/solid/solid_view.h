#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "compute/core/image_view.h"
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

/// A vector in the space of the cells: a cell is a unit cube.
struct SolidVector {
  float x = 0;
  float y = 0;
  float z = 0;
};
LOOM_HOST_DEVICE constexpr SolidVector operator+(SolidVector a, SolidVector b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
LOOM_HOST_DEVICE constexpr SolidVector operator*(float factor, SolidVector a) {
  return {factor * a.x, factor * a.y, factor * a.z};
}

/// The levels that a picture can show: a ray's position has six bits per level.
inline constexpr int kMaxSolidViewLevel = 10;

/// The meaning of the colour value of a pixel.
enum class SolidColouring : std::uint8_t {
  kState,      ///< none: the colour is that of the state, or of the density of living cells
  kTileIndex,  ///< number of the tile
  kThread,     ///< thread index in tile
  kWarp,       ///< warp of the launch
  kAddress,    ///< byte offset of the cell
};
inline constexpr std::array kSolidColourings = {SolidColouring::kState, SolidColouring::kTileIndex,
                                                SolidColouring::kThread, SolidColouring::kWarp,
                                                SolidColouring::kAddress};
/// "state", "tile", "thread", "warp", "address".
std::string_view name_of(SolidColouring by);
/// Whether the values are positions in an order, from the first to the last; otherwise equal values have
/// equal colours, and adjacent values different ones.
constexpr bool is_ordered(SolidColouring by) {
  return by == SolidColouring::kThread || by == SolidColouring::kAddress;
}

/// The rays of a picture: that of pixel (i, j) starts at origin + i right + j down and has the direction
/// direction + i turn_right + j turn_down, which need not be normalized.
struct SolidView {
  int width = 0;
  int height = 0;
  SolidVector origin = {};
  SolidVector right = {};
  SolidVector down = {};
  SolidVector direction = {};
  SolidVector turn_right = {};
  SolidVector turn_down = {};
  /// The cells that are visible, [low, high) on each axis: a cut plane removes the others.
  Coord3 low = {};
  Coord3 high = {};
  bool living_only = false;  ///< dead cells are transparent, refractory ones not
  bool empty_tiles = false;  ///< tiles without cells that the launch has are translucent boxes
  SolidColouring colouring = SolidColouring::kState;
  float nearest = 0;  ///< the ray parameters between which the depth of a pixel runs
  float farthest = 1;
};

// A pixel of the picture consists of these bits. Where the ray meets no cell, all but those of empty tiles
// are 0.
inline constexpr std::uint32_t kSolidHit = 1u;
inline constexpr std::uint32_t kSolidAlive = 2u;  ///< the cell, or some cell of the replica
inline constexpr int kSolidFaceShift = 2;  ///< 3 bits: 0 to 5 for the faces at low x, high x, low y, ...
/// 4 bits: how open the surroundings of the point are, 0 to 15 (ambient occlusion), less at an edge of the
/// face.
inline constexpr int kSolidOpenShift = 5;
/// 8 bits: 0 if the colour is that of the state. With a colouring 1 to 255: position in an order, or a number
/// modulo kSolidColours. Without a colouring 1 to kSolidMaxDensity: the density of living cells, where a
/// pixel covers many cells, and the brightness of a refractory cell.
inline constexpr int kSolidColourShift = 9;
inline constexpr std::uint32_t kSolidColours = 252;
inline constexpr std::uint32_t kSolidMaxDensity = 255;
inline constexpr int kSolidEmptyShift = 17;  ///< 7 bits: opacity of the empty tiles in front of the cell
inline constexpr std::uint32_t kSolidMaxEmpty = 127;
inline constexpr int kSolidDepthShift = 24;  ///< 8 bits: 0 at `nearest`, all ones at `farthest`
inline constexpr std::uint32_t kSolidMaxDepth = 255;

/// What a ray meets.
struct SolidHit {
  bool hit = false;
  bool alive = false;        ///< the cell, or some cell of the replica
  Coord3 cell;               ///< a point of the replica if `level` > 0: then it may be a hole
  int level = 0;             ///< of the replica that the ray meets; 0: a cell
  std::uint64_t living = 0;  ///< living cells of the replica
  int face = 0;              ///< as in a pixel
  float at = 0;              ///< the ray parameter
  float open = 1;            ///< 0 to 1
  float empty = 0;           ///< opacity of the empty tiles on the way, 0 to 1
};

/// An integer image that an engine owns, row by row; valid until the next call of the engine.
struct SolidImage {
  const std::uint32_t* pixels = nullptr;
  int width = 0;
  int height = 0;
  DeviceStream stream = {};  ///< on which the pixels were written
};

}  // namespace loom
