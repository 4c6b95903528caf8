#pragma once

#include <cstdint>
#include <vector>

#include "compute/core/host_device.h"
#include "compute/geometry/tiled_fractal.h"

namespace loom {

/// A tile with a halo of one cell on each side, as a GPU's shared memory holds it: rows of `pitch` cells. If
/// a row's own cells are a multiple of four, they begin at a multiple of four, so that four cells can be
/// copied at a time. Of the four cells between two rows, the first is right of the upper row and the last is
/// left of the lower row.
struct StagedTile {
  std::uint32_t rho_x = 1;
  std::uint32_t rho_y = 1;
  std::uint32_t own = 1;  ///< index of a row's first own cell
  std::uint32_t pitch = 3;
  std::uint32_t cells = 9;

  StagedTile() = default;
  explicit StagedTile(const TiledFractal& fractal) : rho_x(fractal.rho_x), rho_y(fractal.rho_y) {
    own = by_fours() ? 4 : 1;
    pitch = rho_x + (by_fours() ? 4 : 2);
    cells = (rho_y + 2) * pitch + (by_fours() ? 4 : 0);
  }
  LOOM_HOST_DEVICE bool by_fours() const { return rho_x % 4 == 0; }
  /// The index of the cell at (x, y), -1 <= x <= rho_x, -1 <= y <= rho_y; -1 may be given as its unsigned
  /// wrap-around.
  LOOM_HOST_DEVICE std::uint32_t at(std::uint32_t x, std::uint32_t y) const {
    return (y + 1) * pitch + x + own;
  }
};

/// One halo cell: the byte that it is read from and its index in the staged tile, packed into 32 bits.
struct HaloCell {
  std::uint32_t packed;
  /// The tile that holds it: an index into the nine tiles of TileNeighbours.
  LOOM_HOST_DEVICE std::uint32_t tile() const { return packed & 15u; }
  /// Its byte offset in that tile, below rho_x * rho_y <= 1024.
  LOOM_HOST_DEVICE std::uint32_t source() const { return packed >> 4 & 1023u; }
  /// Its index in the staged tile, below 2^18.
  LOOM_HOST_DEVICE std::uint32_t target() const { return packed >> 14; }
};

/// The halo cells of a tile that are adjacent to a cell of the tile. Holes of the fractal, which are always
/// dead, are left out.
std::vector<HaloCell> halo_of_tile(const TiledFractal& fractal);

/// The tiles that contain these halo cells: bit i for tile i of TileNeighbours.
std::uint32_t tiles_of_halo(const std::vector<HaloCell>& halo);

}  // namespace loom
