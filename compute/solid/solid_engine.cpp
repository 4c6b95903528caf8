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

void SolidEngine::check_view(const SolidView& view) const {
  if (config().level > kMaxSolidViewLevel) {
    throw InputError(
        fmt::format("level {} has no picture; allowed: levels up to {}", config().level, kMaxSolidViewLevel));
  }
  const Coord3 size = config().fractal.size(config().level);
  const auto within = [](std::uint32_t low, std::uint32_t high, std::uint32_t side) {
    return low < high && high <= side;
  };
  if (view.width < 1 || view.height < 1 || !within(view.low.x, view.high.x, size.x) ||
      !within(view.low.y, view.high.y, size.y) || !within(view.low.z, view.high.z, size.z))
    throw InputError(
        "an empty picture or range of cells; allowed: at least one pixel and one layer of cells");
}

}  // namespace loom
