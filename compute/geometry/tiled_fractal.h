#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "compute/core/coord.h"
#include "compute/core/host_device.h"
#include "compute/geometry/nbb_fractal.h"

namespace loom {

/// A contiguous range of tile rows of the orthotope.
struct TileRows {
  std::uint64_t first = 0;
  std::uint64_t count = 0;
  friend bool operator==(const TileRows&, const TileRows&) = default;
};

/// A fractal at level r divided into tiles of rho_x x rho_y points, rho = s^j on each axis, as plain data for
/// kernels. A tile contains a complete level-j fractal or no cell (docs/explanation/maps.md). Tile
/// coordinates therefore form the same fractal at level r_b = r - j. If the fractal is not uniform, powers
/// are products over the levels; tiles consist of the lowest j levels.
struct TiledFractal {
  NbbShape shape;  ///< of a uniform fractal; of any other, the coarsest level's
  LevelView levels;
  int level = 0;                  ///< r
  int tile_level = 0;             ///< j
  int coarse_level = 0;           ///< r_b = r - j
  std::uint32_t rho_x = 1;        ///< s_x^j
  std::uint32_t rho_y = 1;        ///< s_y^j
  std::uint32_t tile_cells = 1;   ///< k^j, the cells of an occupied tile
  std::uint64_t width = 1;        ///< n_x = s_x^r
  std::uint64_t height = 1;       ///< n_y = s_y^r
  std::uint64_t cells = 1;        ///< k^r
  std::uint64_t grid_x = 1;       ///< n_x / rho_x: tiles of the bounding box
  std::uint64_t grid_y = 1;       ///< n_y / rho_y
  std::uint64_t orthotope_x = 1;  ///< k^ceil(r_b/2): tiles of compact space
  std::uint64_t orthotope_y = 1;  ///< k^floor(r_b/2)
  TileRows held = {0,
                   1};  ///< tile rows that compact storage holds: all, or those of a partition (partition.h)
  /// Bit t_y * rho_x + t_x: whether that point is a cell of the level-j fractal, before it is turned.
  std::uint32_t micro_mask[kMaxBlockThreads / 32] = {};

  LOOM_HOST_DEVICE std::uint32_t points_per_tile() const { return rho_x * rho_y; }
  LOOM_HOST_DEVICE std::uint64_t orthotope_tiles() const { return orthotope_x * orthotope_y; }
  LOOM_HOST_DEVICE bool holds_all() const { return held.count == orthotope_y; }
  /// The number of positions in one tile row of compact storage.
  LOOM_HOST_DEVICE std::uint64_t places_of_row() const { return orthotope_x * points_per_tile(); }
  /// Whether position `thread` (< points_per_tile()) of an occupied tile is a cell: the bounding sub-box
  /// test.
  LOOM_HOST_DEVICE bool micro_member(std::uint32_t thread) const {
    return (micro_mask[thread >> 5] >> (thread & 31u)) & 1u;
  }
  /// Whether position `thread` of an occupied tile with this orientation is a cell.
  LOOM_HOST_DEVICE bool micro_member(std::uint32_t thread, Symmetry symmetry) const {
    if (symmetry == Symmetry::kIdentity) return micro_member(thread);
    const Coord32 at = apply(inverse(symmetry), Coord32{thread % rho_x, thread / rho_x}, rho_x);
    return micro_member(at.y * rho_x + at.x);
  }
  LOOM_HOST_DEVICE bool is_uniform() const { return levels.kind == LevelKind::kUniform; }
  LOOM_HOST_DEVICE bool is_turned() const { return levels.kind == LevelKind::kTurned; }
  /// The shape of level mu of the whole fractal, and of level mu of the tile coordinates; 1 is the finest.
  const NbbShape& level_shape(int mu) const {
    return is_uniform() ? shape : levels.host->shapes[level - mu].shape;
  }
  const NbbShape& coarse_shape(int mu) const { return level_shape(mu + tile_level); }
  /// How replica `replica` of level mu of the tile coordinates places its content.
  Symmetry coarse_symmetry(int mu, std::uint32_t replica) const {
    return is_turned() ? levels.host->shapes[coarse_level - mu].symmetry[replica] : Symmetry::kIdentity;
  }
  /// Whether every coordinate and index fits in 32 bits, so that maps can use 32-bit arithmetic.
  bool fits_32_bits() const;
};

/// The terms of the levels 1 to coarse_level of a mixed fractal, finest first. Int as in fits_32_bits().
template <typename Int>
std::vector<MixedLevel<Int>> mixed_levels(const TiledFractal& fractal);

/// Throws InputError if `level` does not fit in 64 bits or if `tile_size` is not an allowed tile size rho_x
/// (see allowed_tile_sizes). For s_x = 1 the only allowed value is 1 (tile level 0).
TiledFractal make_tiled_fractal(const NbbFractal& fractal, int level, std::uint32_t tile_size);

/// The tile sizes rho_x = s_x^j with rho_x * rho_y <= 1024 and j <= level, ascending; products of the lowest
/// levels' scales if the fractal is not uniform.
std::vector<std::uint32_t> allowed_tile_sizes(const NbbFractal& fractal, int level);

/// The tile level j of an allowed tile size rho_x = s_x^j; nothing for other sizes. Does not allocate memory.
std::optional<int> tile_level_of(const NbbFractal& fractal, int level, std::uint32_t tile_size);

/// The largest allowed tile size not above `wanted`; 1 if there is none.
std::uint32_t nearest_tile_size(const NbbFractal& fractal, int level, std::uint32_t wanted);

}  // namespace loom
