#include "compute/geometry/tile_sizes.h"

#include "compute/core/integer_math.h"
#include "compute/geometry/tiled_fractal.h"

namespace loom {

namespace {

/// Calls `use(j, rho_x)` for each allowed tile size, ascending.
template <typename Use>
void for_each_allowed(const NbbFractal& fractal, int level, const Use& use) {
  const NbbShape& shape = fractal.shape();
  for (int j = 0; j <= level; ++j) {
    const auto rho_x = checked_power(shape.s_x, j);
    const auto rho_y = checked_power(shape.s_y, j);
    if (!rho_x || !rho_y || *rho_x * *rho_y > kMaxBlockThreads) break;
    use(j, static_cast<std::uint32_t>(*rho_x));
    if (shape.s_x == 1) break;  // rho_x identifies the tile size, so that only j = 0 is possible
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
