#include "compute/map/staging.h"

namespace loom {
namespace {

/// Whether the level-j fractal of a tile has a cell at (x, y), which may be outside of the tile.
bool has_cell(const TiledFractal& fractal, int x, int y) {
  const int rho_x = static_cast<int>(fractal.rho_x);
  const int rho_y = static_cast<int>(fractal.rho_y);
  return x >= 0 && x < rho_x && y >= 0 && y < rho_y &&
         fractal.micro_member(static_cast<std::uint32_t>(y * rho_x + x));
}

bool is_adjacent_to_cell(const TiledFractal& fractal, int x, int y) {
  for (int dy = -1; dy <= 1; ++dy) {
    for (int dx = -1; dx <= 1; ++dx) {
      if (has_cell(fractal, x + dx, y + dy)) return true;
    }
  }
  return false;
}

/// The tile, out of the one to the left (above), this one and the one to the right (below), that contains a
/// coordinate, and the coordinate in it.
struct Fall {
  int tile;
  int local;
};
Fall fall(int coordinate, int rho) {
  if (coordinate < 0) return {0, coordinate + rho};
  if (coordinate >= rho) return {2, coordinate - rho};
  return {1, coordinate};
}

}  // namespace

std::vector<HaloCell> halo_of_tile(const TiledFractal& fractal) {
  const StagedTile staged(fractal);
  const auto rho_x = static_cast<int>(fractal.rho_x);
  const auto rho_y = static_cast<int>(fractal.rho_y);
  std::vector<HaloCell> halo;
  const auto add = [&](int x, int y, const Fall& column, const Fall& row) {
    const auto tile = static_cast<std::uint32_t>(row.tile * 3 + column.tile);
    const auto source = static_cast<std::uint32_t>(row.local * rho_x + column.local);
    halo.push_back(
        {tile | source << 4 | staged.at(static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y)) << 14});
  };
  for (int y = -1; y <= rho_y; ++y) {
    for (int x = -1; x <= rho_x; ++x) {
      const Fall column = fall(x, rho_x);
      const Fall row = fall(y, rho_y);
      if (column.tile == 1 && row.tile == 1) continue;
      // The orientations of a tile and its neighbours differ if replicas are turned: then all points count.
      if (fractal.is_turned()) {
        add(x, y, column, row);
        continue;
      }
      if (!is_adjacent_to_cell(fractal, x, y)) continue;
      // Every tile is the same level-j fractal, so that this tile's holes are the neighbour's too.
      if (!has_cell(fractal, column.local, row.local)) continue;
      add(x, y, column, row);
    }
  }
  return halo;
}

std::uint32_t tiles_of_halo(const std::vector<HaloCell>& halo) {
  std::uint32_t set = 0;
  for (const HaloCell& cell : halo) set |= 1u << cell.tile();
  return set;
}

// Measured on an H200. If the scale is not a power of two, rows of tiles are not aligned: life takes 1 to 17
// % longer there when written in rows, byte by byte, than cell by cell (carpet, vicsek, h-fractal,
// chandelier), and 9 to 33 % longer when staged.

bool writes_rows(const TiledFractal& fractal) {
  return row_work(fractal, fractal.width, 1).chunk >= 4;
}

ExpandedKernel expanded_kernel(const TiledFractal& fractal) {
  if (!writes_rows(fractal)) return ExpandedKernel::kCells;
  // Staged tiles are processed four at a time, which must have the same orientation.
  if (fractal.rho_x >= 8 && !fractal.is_turned()) return ExpandedKernel::kStaged;
  return fractal.width % 8 == 0 ? ExpandedKernel::kGathered : ExpandedKernel::kCells;
}

}  // namespace loom
