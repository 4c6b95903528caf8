#include "compute/geometry/blocked_fractal.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "compute/core/error.h"
#include "compute/core/integer_math.h"
#include "compute/geometry/block_sizes.h"
#include "compute/geometry/transforms.h"

namespace loom {

bool BlockedFractal::fits_32_bits() const {
  constexpr std::uint64_t kLimit = std::numeric_limits<std::uint32_t>::max();
  return std::max({width, height, orthotope_x, orthotope_y}) <= kLimit;
}

BlockedFractal make_blocked(const NbbFractal& fractal, int level, std::uint32_t block) {
  BlockedFractal blocked;
  blocked.shape = fractal.shape();
  blocked.level = level;
  blocked.width = fractal.width(level);
  blocked.height = fractal.height(level);
  blocked.cells = fractal.cells(level);

  const std::optional<int> block_level = block_level_of(fractal, level, block);
  if (!block_level) {
    throw InputError(fmt::format("block size {} is not allowed for {} at level {}; allowed: {}", block,
                                 fractal.name(), level, fmt::join(allowed_blocks(fractal, level), ", ")));
  }
  blocked.block_level = *block_level;
  blocked.coarse_level = level - blocked.block_level;
  blocked.rho_x = static_cast<std::uint32_t>(fractal.width(blocked.block_level));
  blocked.rho_y = static_cast<std::uint32_t>(fractal.height(blocked.block_level));
  blocked.block_cells = static_cast<std::uint32_t>(fractal.cells(blocked.block_level));
  blocked.grid_x = fractal.width(blocked.coarse_level);
  blocked.grid_y = fractal.height(blocked.coarse_level);
  blocked.orthotope_x = fractal.cells((blocked.coarse_level + 1) / 2);
  blocked.orthotope_y = fractal.cells(blocked.coarse_level / 2);
  blocked.held = {0, blocked.orthotope_y};

  const NbbTransform<std::uint32_t> transform(blocked.shape);
  for (std::uint32_t y = 0; y < blocked.rho_y; ++y) {
    for (std::uint32_t x = 0; x < blocked.rho_x; ++x) {
      const std::uint32_t thread = y * blocked.rho_x + x;
      if (is_member(transform, blocked.block_level, Coord32{x, y})) {
        blocked.micro_mask[thread >> 5] |= 1u << (thread & 31u);
      }
    }
  }
  return blocked;
}

}  // namespace loom
