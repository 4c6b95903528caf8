#pragma once

#include <cstdint>
#include <vector>

#include "compute/core/host_device.h"
#include "compute/geometry/blocked_fractal.h"

namespace loom {

/// A block with a rim of one cell around it, as a GPU's shared memory holds it: rows of pitch() bytes, in
/// which the block's own cells begin at multiples of four, so that whole words can be copied in.
struct StagedTile {
  static constexpr int kOwn = 4;  ///< where a row's own cells begin
  int rho_x = 1;
  int rho_y = 1;
  LOOM_HOST_DEVICE int pitch() const { return (rho_x + 8) & ~3; }
  LOOM_HOST_DEVICE int bytes() const { return (rho_y + 2) * pitch(); }
  /// The byte of the cell at (x, y), -1 <= x <= rho_x, -1 <= y <= rho_y.
  LOOM_HOST_DEVICE int at(int x, int y) const { return (y + 1) * pitch() + x + kOwn; }
};

/// One cell of the rim: where its byte is read and where in the staged tile it is written, in 32 bits.
struct RimCell {
  std::uint32_t packed;
  /// Which of the nine blocks around (BlockNeighbours) holds it.
  LOOM_HOST_DEVICE std::uint32_t block() const { return packed & 15u; }
  /// Its byte in that block, below rho_x * rho_y <= 1024.
  LOOM_HOST_DEVICE std::uint32_t source() const { return packed >> 4 & 1023u; }
  /// Its byte in the staged tile, below 2^18.
  LOOM_HOST_DEVICE std::uint32_t target() const { return packed >> 14; }
};

/// The cells of a block's rim that have a cell of the block beside them; holes of the fractal, which are
/// always dead, are left out.
std::vector<RimCell> rim_of_block(const BlockedFractal& fractal);

/// The blocks that they lie in: bit i for block i of BlockNeighbours.
std::uint32_t blocks_of_rim(const std::vector<RimCell>& rim);

}  // namespace loom
