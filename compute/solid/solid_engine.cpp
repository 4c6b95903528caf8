#include "compute/solid/solid_engine.h"

#include <fmt/format.h>

#include "compute/core/error.h"

namespace loom {

void SolidEngine::check_cell_range(std::uint64_t first, std::uint64_t count) const {
  if (first > cell_count() || count > cell_count() - first) {
    throw InputError(fmt::format("cells {} to {} are out of range; the fractal has {}", first, first + count,
                                 cell_count()));
  }
}

}  // namespace loom
