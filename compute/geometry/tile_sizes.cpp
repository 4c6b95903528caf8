#include "compute/geometry/tile_sizes.h"

#include "compute/geometry/tiled_fractal.h"

namespace loom {

namespace {

/// Calls `use(j, rho_x)` for each allowed tile size, ascending.
template <typename Use>
void for_each_allowed(const NbbFractal& fractal, int level, const Use& use) {
  std::uint64_t rho_x = 1;
  std::uint64_t rho_y = 1;
  use(0, 1u);
  for (int j = 1; j <= level; ++j) {
    const Generator& generator = fractal.generator(level, j);
    rho_x *= generator.s_x;
    rho_y *= generator.s_y;
    if (rho_x * rho_y > kMaxBlockThreads) break;
    if (generator.s_x == 1) break;  // rho_x identifies the tile size
    use(j, static_cast<std::uint32_t>(rho_x));
  }
}

}  // namespace

std::vector<std::uint32_t> allowed_tile_sizes(const NbbFractal& fractal, int level) {
  std::vector<std::uint32_t> tile_sizes;
  for_each_allowed(fractal, level, [&](int, std::uint32_t tile_size) { tile_sizes.push_back(tile_size); });
  return tile_sizes;
}

std::optional<int> tile_level_of(const NbbFractal& fractal, int level, std::uint32_t tile_size) {
  std::optional<int> found;
  for_each_allowed(fractal, level, [&](int j, std::uint32_t allowed) {
    if (allowed == tile_size) found = j;
  });
  return found;
}

std::uint32_t nearest_tile_size(const NbbFractal& fractal, int level, std::uint32_t wanted) {
  std::uint32_t best = 1;
  for_each_allowed(fractal, level, [&](int, std::uint32_t tile_size) {
    if (tile_size <= wanted) best = tile_size;
  });
  return best;
}

}  // namespace loom
