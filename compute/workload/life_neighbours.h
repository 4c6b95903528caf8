#pragma once

#include <cstdint>

#include "compute/core/coord.h"
#include "compute/core/host_device.h"
#include "compute/geometry/storage.h"
#include "compute/geometry/tiled_fractal.h"

namespace loom {

// The count of a cell's living neighbours, 0..8, for each storage. Holes and points outside the square count
// as dead.

/// Expanded storage: the neighbours are the eight bytes around the cell's own byte; holes hold 0. `offset` is
/// the cell's own byte.
template <typename Int>
LOOM_HOST_DEVICE std::uint32_t count_on_expanded(const TiledFractal& fractal, const std::uint8_t* cells,
                                                 Coord<Int> cell, std::uint64_t offset) {
  const std::uint8_t* const row = cells + offset;
  const std::uint8_t* const above = row - fractal.width;
  const std::uint8_t* const below = row + fractal.width;
  const bool has_left = cell.x > 0;
  const bool has_right = cell.x + std::uint64_t{1} < fractal.width;
  const bool has_above = cell.y > 0;
  const bool has_below = cell.y + std::uint64_t{1} < fractal.height;
  if (has_left & has_right & has_above & has_below) {
    return std::uint32_t{above[-1]} + above[0] + above[1] + row[-1] + row[1] + below[-1] + below[0] +
           below[1];
  }
  std::uint32_t count = 0;
  if (has_left) count += row[-1];
  if (has_right) count += row[1];
  if (has_above) {
    count += above[0];
    if (has_left) count += above[-1];
    if (has_right) count += above[1];
  }
  if (has_below) {
    count += below[0];
    if (has_left) count += below[-1];
    if (has_right) count += below[1];
  }
  return count;
}

/// The offsets of a tile and its eight neighbours in tiled compact storage, at [(dy + 1) * 3 + dx + 1];
/// kNoIndex if a tile does not exist or is not held. Computed by nu, once per tile.
struct TileNeighbours {
  std::uint64_t base[9];
};

/// The expanded tile coordinate of neighbour `which` (0..8, see TileNeighbours). Steps below 0 wrap around
/// to coordinates beyond any grid, so that in_grid() needs one comparison per axis.
template <typename Int>
LOOM_HOST_DEVICE Coord<Int> neighbour_place(Coord<Int> place, std::uint32_t which) {
  // Which / 3: exact below 9, and cheaper than the compiler's division.
  const std::uint32_t row = which * 11 >> 5;
  return {static_cast<Int>(place.x + (which - 3 * row) - 1), static_cast<Int>(place.y + row - 1)};
}
template <typename Int>
LOOM_HOST_DEVICE bool in_grid(const TiledFractal& fractal, Coord<Int> place) {
  return place.x < static_cast<Int>(fractal.grid_x) && place.y < static_cast<Int>(fractal.grid_y);
}

/// The offset of neighbour `which` of the tile at expanded tile coordinate `place`, as in TileNeighbours;
/// `arithmetic` computes nu.
template <typename Int, typename Arithmetic>
LOOM_HOST_DEVICE std::uint64_t neighbour_base(const TiledCompactStorage<Int>& storage,
                                              const Arithmetic& arithmetic, Coord<Int> place,
                                              std::uint32_t which) {
  const Coord<Int> at = neighbour_place(place, which);
  if (!in_grid(storage.tiled, at)) return kNoIndex;
  return storage.held_base(arithmetic.nu(at));
}

/// The byte of the cell at (x, y) relative to a tile's corner, -1 <= x <= rho_x, -1 <= y <= rho_y, in the
/// tile itself or in a neighbour. 0 if that tile does not exist.
LOOM_HOST_DEVICE std::uint8_t read_across_tiles(const TiledFractal& fractal, const std::uint8_t* cells,
                                                const TileNeighbours& neighbours, int x, int y) {
  const int rho_x = static_cast<int>(fractal.rho_x);
  const int rho_y = static_cast<int>(fractal.rho_y);
  const int dx = x < 0 ? 0 : (x < rho_x ? 1 : 2);
  const int dy = y < 0 ? 0 : (y < rho_y ? 1 : 2);
  const std::uint64_t base = neighbours.base[dy * 3 + dx];
  if (base == kNoIndex) return 0;
  const int local_x = x - (dx - 1) * rho_x;
  const int local_y = y - (dy - 1) * rho_y;
  return cells[base + static_cast<std::uint32_t>(local_y * rho_x + local_x)];
}

/// Tiled compact storage without a halo in shared memory: each thread reads cells of neighbouring tiles
/// itself.
LOOM_HOST_DEVICE std::uint32_t count_across_tiles(const TiledFractal& fractal, const std::uint8_t* cells,
                                                  const TileNeighbours& neighbours, int x, int y) {
  std::uint32_t count = 0;
#if defined(__CUDA_ARCH__)
#pragma unroll
#endif
  for (int dy = -1; dy <= 1; ++dy) {
#if defined(__CUDA_ARCH__)
#pragma unroll
#endif
    for (int dx = -1; dx <= 1; ++dx) {
      if (dx != 0 || dy != 0) count += read_across_tiles(fractal, cells, neighbours, x + dx, y + dy);
    }
  }
  return count;
}

/// The number of cells of a tile with a halo of one cell.
LOOM_HOST_DEVICE std::uint32_t staged_tile_area(const TiledFractal& fractal) {
  return (fractal.rho_x + 2) * (fractal.rho_y + 2);
}
inline constexpr std::uint32_t kMaxStagedTileArea = 3 * (kMaxBlockThreads + 2);  ///< reached at 1 x 1024

/// Counts neighbours in a staged tile: the eight bytes around a cell's own, in rows of `pitch` bytes.
LOOM_HOST_DEVICE std::uint32_t count_in_tile(const std::uint8_t* own, int pitch) {
  const std::uint8_t* const above = own - pitch;
  const std::uint8_t* const below = own + pitch;
  return std::uint32_t{above[-1]} + above[0] + above[1] + own[-1] + own[1] + below[-1] + below[0] + below[1];
}

}  // namespace loom
