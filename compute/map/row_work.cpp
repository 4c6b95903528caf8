#include "compute/map/row_work.h"

namespace loom {

// Measured on an H200. If the scale is not a power of two, rows of tiles are not aligned: life takes 1 to 17
// % longer there when written in rows, byte by byte, than cell by cell (carpet, vicsek, h-fractal,
// chandelier), and 9 to 33 % longer when staged.

bool writes_rows(const BlockedFractal& fractal) {
  return row_work(fractal, fractal.width, 1).chunk >= 4;
}

ExpandedForm life_form(const BlockedFractal& fractal) {
  if (!writes_rows(fractal)) return ExpandedForm::kCells;
  if (fractal.rho_x >= 8) return ExpandedForm::kStaged;
  return fractal.width % 8 == 0 ? ExpandedForm::kGathered : ExpandedForm::kCells;
}

}  // namespace loom
