#include "compute/geometry/stored_cells.h"

#include "compute/core/integer_math.h"

namespace loom {

std::uint64_t bytes_of_rows(const TiledFractal& fractal) {
  return saturating_multiply(saturating_multiply(ceil_divide<std::uint64_t>(fractal.width, 64), 8),
                             fractal.height);
}

}  // namespace loom
