#include "compute/geometry/bit_rows.h"

#include "compute/core/integer_math.h"

namespace loom {

std::uint64_t bytes_of_rows(const BlockedFractal& fractal) {
  return saturating_multiply(saturating_multiply(ceil_divide<std::uint64_t>(fractal.width, 64), 8),
                             fractal.height);
}

std::uint64_t row_place(const BlockedFractal& fractal, Coord64 cell) {
  if (cell.x >= fractal.width || cell.y >= fractal.height) return ~std::uint64_t{0};
  if (!fractal.fits_32_bits()) return RowStorage<std::uint64_t>(fractal).index_of(cell);
  return RowStorage<std::uint32_t>(fractal).index_of(
      {static_cast<std::uint32_t>(cell.x), static_cast<std::uint32_t>(cell.y)});
}

}  // namespace loom
