#include "compute/map/row_work.h"

namespace loom {

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
