#pragma once

#include <cstdint>
#include <vector>

#include "compute/core/host_device.h"
#include "compute/geometry/blocked_fractal.h"

namespace loom {

/// A block with a rim of one cell around it, as a GPU's shared memory holds it: rows of `pitch` cells. Where
/// a row's own cells are a multiple of four, they begin at one, so that four at a time can be copied in; of
/// the four between the cells of two rows the first is right of the one and the last left of the other.
struct StagedTile {
  std::uint32_t rho_x = 1;
  std::uint32_t rho_y = 1;
  std::uint32_t own = 1;  ///< where a row's own cells begin
  std::uint32_t pitch = 3;
  std::uint32_t cells = 9;

  StagedTile() = default;
  explicit StagedTile(const BlockedFractal& fractal) : rho_x(fractal.rho_x), rho_y(fractal.rho_y) {
    own = by_fours() ? 4 : 1;
    pitch = rho_x + (by_fours() ? 4 : 2);
    cells = (rho_y + 2) * pitch + (by_fours() ? 4 : 0);
  }
  LOOM_HOST_DEVICE bool by_fours() const { return rho_x % 4 == 0; }
  /// The number of the cell at (x, y), -1 <= x <= rho_x, -1 <= y <= rho_y, where -1 may have wrapped around.
  LOOM_HOST_DEVICE std::uint32_t at(std::uint32_t x, std::uint32_t y) const {
    return (y + 1) * pitch + x + own;
  }
};

/// One cell of the rim: where its byte is read and where in the staged tile it goes, in 32 bits.
struct RimCell {
  std::uint32_t packed;
  /// Which of the nine blocks around (BlockNeighbours) holds it.
  LOOM_HOST_DEVICE std::uint32_t block() const { return packed & 15u; }
  /// Its byte in that block, below rho_x * rho_y <= 1024.
  LOOM_HOST_DEVICE std::uint32_t source() const { return packed >> 4 & 1023u; }
  /// Its number in the staged tile, below 2^18.
  LOOM_HOST_DEVICE std::uint32_t target() const { return packed >> 14; }
};

/// The cells of a block's rim that have a cell of the block beside them; holes of the fractal, which are
/// always dead, are left out.
std::vector<RimCell> rim_of_block(const BlockedFractal& fractal);

/// The blocks that they lie in: bit i for block i of BlockNeighbours.
std::uint32_t blocks_of_rim(const std::vector<RimCell>& rim);

}  // namespace loom
