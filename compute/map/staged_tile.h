#pragma once

#include "compute/core/host_device.h"

namespace loom {

/// A block with a rim of one cell around it, as a GPU's shared memory holds it: rows of pitch() bytes, in
/// which the block's own cells begin at multiples of four, so that whole words can be copied in.
struct StagedTile {
  int rho_x = 1;
  int rho_y = 1;
  LOOM_HOST_DEVICE int pitch() const { return (rho_x + 8) & ~3; }
  LOOM_HOST_DEVICE int bytes() const { return (rho_y + 2) * pitch(); }
  /// The byte of the cell at (x, y), -1 <= x <= rho_x, -1 <= y <= rho_y.
  LOOM_HOST_DEVICE int at(int x, int y) const { return (y + 1) * pitch() + x + 4; }
};

}  // namespace loom
