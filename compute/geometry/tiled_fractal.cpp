#include "compute/geometry/tiled_fractal.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

#include "compute/core/error.h"
#include "compute/core/integer_math.h"
#include "compute/geometry/transforms.h"

namespace loom {

bool TiledFractal::fits_32_bits() const {
  constexpr std::uint64_t kLimit = std::numeric_limits<std::uint32_t>::max();
  return std::max({width, height, orthotope_x, orthotope_y}) <= kLimit;
}

template <typename Int>
std::vector<MixedLevel<Int>> mixed_levels(const TiledFractal& fractal) {
  std::vector<MixedLevel<Int>> levels(static_cast<std::size_t>(fractal.coarse_level));
  Coord<Int> scales{1, 1};
  Coord<Int> digits{1, 1};
  for (int mu = 1; mu <= fractal.coarse_level; ++mu) {
    const NbbShape& shape = fractal.coarse_shape(mu);
    MixedLevel<Int>& level = levels[static_cast<std::size_t>(mu - 1)];
    level.k = FastDivisor<Int>(shape.k);
    level.s_x = FastDivisor<Int>(shape.s_x);
    level.s_y = FastDivisor<Int>(shape.s_y);
    Int& digit = mu % 2 == 1 ? digits.x : digits.y;
    std::fill(std::begin(level.replica), std::end(level.replica), MixedLevel<Int>::kHole);
    for (Int b = 0; b < shape.k; ++b) {
      level.offset[b] = {shape.offset_x[b] * scales.x, shape.offset_y[b] * scales.y};
      level.replica[shape.offset_y[b] * shape.s_x + shape.offset_x[b]] = b * digit;
    }
    scales.x *= static_cast<Int>(shape.s_x);
    scales.y *= static_cast<Int>(shape.s_y);
    digit *= static_cast<Int>(shape.k);
  }
  return levels;
}
template std::vector<MixedLevel<std::uint32_t>> mixed_levels(const TiledFractal& fractal);
template std::vector<MixedLevel<std::uint64_t>> mixed_levels(const TiledFractal& fractal);

TiledFractal make_tiled_fractal(const NbbFractal& fractal, int level, std::uint32_t tile_size) {
  TiledFractal tiled;
  tiled.shape = fractal.shape();
  tiled.levels = fractal.levels();
  tiled.level = level;
  tiled.width = fractal.width(level);
  tiled.height = fractal.height(level);
  tiled.cells = fractal.cells(level);

  const std::optional<int> tile_level = tile_level_of(fractal, level, tile_size);
  if (!tile_level) {
    throw InputError(fmt::format("tile size {} is not allowed for {} at level {}; allowed: {}", tile_size,
                                 fractal.name(), level, fmt::join(allowed_tile_sizes(fractal, level), ", ")));
  }
  tiled.tile_level = *tile_level;
  tiled.coarse_level = level - tiled.tile_level;
  // Generators are assigned from the coarsest level down, so that tile coordinates are this fractal at a
  // lower level; the rest are the levels of a tile.
  tiled.grid_x = fractal.width(tiled.coarse_level);
  tiled.grid_y = fractal.height(tiled.coarse_level);
  const Coord64 orthotope = fractal.compact_extent(tiled.coarse_level);
  tiled.orthotope_x = orthotope.x;
  tiled.orthotope_y = orthotope.y;
  tiled.rho_x = static_cast<std::uint32_t>(tiled.width / tiled.grid_x);
  tiled.rho_y = static_cast<std::uint32_t>(tiled.height / tiled.grid_y);
  tiled.tile_cells = static_cast<std::uint32_t>(tiled.cells / (orthotope.x * orthotope.y));
  tiled.held = {0, tiled.orthotope_y};

  const NbbTransform<std::uint32_t> transform(tiled.shape, tiled.levels, level);
  for (std::uint32_t y = 0; y < tiled.rho_y; ++y) {
    for (std::uint32_t x = 0; x < tiled.rho_x; ++x) {
      const std::uint32_t thread = y * tiled.rho_x + x;
      if (is_member(transform, tiled.tile_level, Coord32{x, y})) {
        tiled.micro_mask[thread >> 5] |= 1u << (thread & 31u);
      }
    }
  }
  return tiled;
}

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
