#include "compute/geometry/stored_cells.h"

#include "compute/core/input_text.h"
#include "compute/core/integer_math.h"

namespace loom {

std::string_view name_of(CellStorage storage) {
  return value_for<CellStorage::kBits, std::string_view>({"bytes", "bits"}, storage);
}

std::uint64_t bytes_of_rows(const TiledFractal& fractal) {
  return saturating_multiply(saturating_multiply(ceil_divide<std::uint64_t>(fractal.width, 64), 8),
                             fractal.height);
}

}  // namespace loom
