#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compute/engine/fractal_config.h"
#include "compute/solid/solid_map.h"

namespace loom {

/// Validates a configuration without allocating memory. Throws InputError with the allowed values.
void validate(const SolidConfig& config);
/// Makes an impossible number of tiles per thread block automatic.
void keep_method_valid(SolidConfig& config);

/// The reason why a method cannot run, as one sentence with what is allowed; empty if it can.
std::string method_problem(const MapMethod& method, const TiledSolid& tiled);

/// Bytes of the cells of a configuration, two generations; saturates at 2^64 - 1.
std::uint64_t bytes_needed(const SolidConfig& config);

/// The map of a valid configuration. `entries` and `tile_cells` are those of SolidTables, in memory that the
/// threads can read.
SolidMap make_solid_map(const MapMethod& method, const TiledSolid& tiled, const SolidEntry* entries,
                        const std::uint32_t* tile_cells);

/// The tiles of a CUDA thread block. On the lambda and compact maps a thread works on up to kSolidRounds
/// tiles: all at once if they are staged, else one after the other. Group i of threads has the tiles from
/// rounds * i on.
struct SolidTiling {
  std::uint32_t tiles = 1;
  std::uint32_t rounds = 1;    ///< tiles per thread
  std::uint32_t parallel = 1;  ///< groups of threads: tiles / rounds
};
/// The GPU launch for one run over the map's grid.
struct SolidLaunch {
  SolidTiling tiling;
  std::uint64_t blocks = 1;
  std::uint32_t threads = 1;       ///< per thread block
  std::uint32_t shared_bytes = 0;  ///< of a step of life
};

/// The allowed numbers of tiles per thread block, ascending powers of two.
std::vector<std::uint32_t> allowed_tiles(const MapMethod& method, const TiledSolid& tiled);
/// The launch of a valid method. Does not allocate memory.
SolidLaunch solid_launch(const MapMethod& method, const TiledSolid& tiled);

/// The largest number of tiles per thread: the bits of a staged word.
inline constexpr std::uint32_t kSolidRounds = 32;
/// Up to this number of tiles per thread, a cell of a staged word is a byte; beyond, a bit.
inline constexpr std::uint32_t kByteRounds = 4;

/// The parts of the dynamic shared memory of a step of life with staged tiles, in bytes from its start: the
/// staged tiles with their halos, one word per point and group of threads; then the rest.
struct SolidSharedMemory {
  SolidSharedMemory() = default;
  SolidSharedMemory(const TiledSolid& tiled, bool compact, SolidTiling tiling);
  std::uint32_t box_points = 1;        ///< a tile with its halo
  std::uint32_t neighbours = 0;        ///< compact: numbers of the 27 tiles around each tile
  std::uint32_t neighbour_rounds = 4;  ///< entries per neighbour: at least four, which are loaded at once
  std::uint32_t neighbour_pitch = 4;   ///< words between the entries of consecutive neighbours
  std::uint32_t places = 0;            ///< of the tiles: expanded tile coordinates, or SolidOrigin for lambda
  std::uint32_t copies = 0;            ///< compact with whole_tiles: copies of the tiles
  std::uint32_t bytes = 0;
  /// Whether whole tiles are copied from and to memory, which is faster if they have few holes. The tiles of
  /// a full thread block are then a multiple of 16 bytes.
  bool whole_tiles = false;
};
/// The index in `neighbours` of neighbour `number`, 0..26, of a group's first tile; those of its other tiles
/// follow.
LOOM_HOST_DEVICE constexpr std::uint32_t solid_neighbour(const SolidSharedMemory& memory, std::uint32_t group,
                                                         std::uint32_t number) {
  return (group * kSolidSteps + number) * memory.neighbour_pitch;
}
/// Lambda: where a tile begins in expanded storage, and which of the 27 tiles around it are in the cube.
struct alignas(16) SolidOrigin {
  std::uint64_t offset = 0;
  std::uint32_t inside = 0;  ///< bit i: neighbour i
};
/// The entry of a neighbour that does not exist.
inline constexpr std::uint32_t kNoSolidTile = ~0u;

}  // namespace loom
