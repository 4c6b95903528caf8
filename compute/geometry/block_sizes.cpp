#include "compute/geometry/block_sizes.h"

#include "compute/core/integer_math.h"
#include "compute/geometry/blocked_fractal.h"

namespace loom {

std::vector<std::uint32_t> allowed_blocks(const NbbFractal& fractal, int level) {
  const NbbShape& shape = fractal.shape();
  std::vector<std::uint32_t> blocks;
  for (int j = 0; j <= level; ++j) {
    const auto rho_x = checked_power(shape.s_x, j);
    const auto rho_y = checked_power(shape.s_y, j);
    if (!rho_x || !rho_y || *rho_x * *rho_y > kMaxBlockThreads) break;
    blocks.push_back(static_cast<std::uint32_t>(*rho_x));
    if (shape.s_x == 1) break;  // rho_x names the block, so only j = 0 has a name
  }
  return blocks;
}

std::uint32_t nearest_block(const NbbFractal& fractal, int level, std::uint32_t wanted) {
  std::uint32_t best = 1;
  for (std::uint32_t block : allowed_blocks(fractal, level)) {
    if (block <= wanted) best = block;
  }
  return best;
}

}  // namespace loom
