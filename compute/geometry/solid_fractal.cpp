#include "compute/geometry/solid_fractal.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <limits>
#include <utility>

#include "compute/core/error.h"
#include "compute/core/integer_math.h"

namespace loom {
namespace {

SolidShape make_shape(const std::string& name, Coord3 scale, const std::vector<Coord3>& offsets) {
  const auto allowed = [](std::uint32_t s) { return s >= 1 && s <= kMaxSolidScale; };
  if (!allowed(scale.x) || !allowed(scale.y) || !allowed(scale.z)) {
    throw InputError(fmt::format(
        "fractal '{}': scale {}x{}x{} is not allowed; allowed: s_x, s_y and s_z from 1 to {}, not all 1",
        name, scale.x, scale.y, scale.z, kMaxSolidScale));
  }
  if (offsets.size() < 2 || offsets.size() >= volume(scale)) {
    throw InputError(
        fmt::format("fractal '{}': {} offset(s); allowed: from 2 to {}, one less than the places", name,
                    offsets.size(), volume(scale) - 1));
  }
  SolidShape shape;
  shape.scale = scale;
  std::fill(std::begin(shape.replica_at), std::end(shape.replica_at), std::int8_t{-1});
  for (const Coord3& offset : offsets) {
    if (offset.x >= scale.x || offset.y >= scale.y || offset.z >= scale.z) {
      throw InputError(
          fmt::format("fractal '{}': offset ({}, {}, {}) is outside of the scale box; allowed: x from 0 to "
                      "{}, y from 0 to {}, z from 0 to {}",
                      name, offset.x, offset.y, offset.z, scale.x - 1, scale.y - 1, scale.z - 1));
    }
    std::int8_t& replica = shape.replica_at[index_in(scale, offset)];
    if (replica >= 0) {
      throw InputError(
          fmt::format("fractal '{}': offset ({}, {}, {}) occurs twice; allowed: different offsets", name,
                      offset.x, offset.y, offset.z));
    }
    replica = static_cast<std::int8_t>(shape.k);
    shape.offset_x[shape.k] = static_cast<std::uint8_t>(offset.x);
    shape.offset_y[shape.k] = static_cast<std::uint8_t>(offset.y);
    shape.offset_z[shape.k] = static_cast<std::uint8_t>(offset.z);
    ++shape.k;
  }
  return shape;
}

/// The points of a box that satisfy a condition, row by row: x fastest, then y, then z.
template <typename Test>
std::vector<Coord3> points_where(Coord3 box, const Test& test) {
  std::vector<Coord3> points;
  for (std::uint32_t z = 0; z < box.z; ++z) {
    for (std::uint32_t y = 0; y < box.y; ++y) {
      for (std::uint32_t x = 0; x < box.x; ++x) {
        if (test(x, y, z)) points.push_back({x, y, z});
      }
    }
  }
  return points;
}

/// A fractal of scale 3 whose replicas are the points with certain numbers of coordinates in the middle.
SolidFractal by_middles(const char* name, std::initializer_list<int> numbers) {
  const Coord3 box{3, 3, 3};
  return SolidFractal(name, box, points_where(box, [&](auto x, auto y, auto z) {
                        const int middles = (x == 1) + (y == 1) + (z == 1);
                        return std::find(numbers.begin(), numbers.end(), middles) != numbers.end();
                      }));
}

}  // namespace

SolidFractal::SolidFractal(std::string name, Coord3 scale, const std::vector<Coord3>& offsets)
    : name_(std::move(name)), shape_(make_shape(name_, scale, offsets)) {
  const auto side_fits = [](std::uint32_t s, int level) {
    const auto side = checked_power(s, level);
    return side && *side <= std::numeric_limits<std::uint32_t>::max();
  };
  const auto fits = [&](int level) {
    return side_fits(scale.x, level) && side_fits(scale.y, level) && side_fits(scale.z, level) &&
           checked_power(shape_.k, level);
  };
  while (fits(max_level_ + 1)) ++max_level_;
}

SolidFractal::SolidFractal() : SolidFractal(solid_catalog().front()) {}

std::vector<Coord3> SolidFractal::offsets() const {
  std::vector<Coord3> result;
  for (std::uint32_t b = 0; b < shape_.k; ++b)
    result.push_back({shape_.offset_x[b], shape_.offset_y[b], shape_.offset_z[b]});
  return result;
}

void SolidFractal::check_level(int level) const {
  if (level < 0 || level > max_level_) {
    throw InputError(fmt::format(
        "level {} of {} is not allowed; allowed: 0 to {}, whose sides fit in 32 bits and cells in 64", level,
        name_, max_level_));
  }
}

Coord3 SolidFractal::size(int level) const {
  check_level(level);
  const auto side = [&](std::uint32_t s) { return static_cast<std::uint32_t>(*checked_power(s, level)); };
  return {side(shape_.scale.x), side(shape_.scale.y), side(shape_.scale.z)};
}

std::uint64_t SolidFractal::cells(int level) const {
  check_level(level);
  return *checked_power(shape_.k, level);
}

double SolidFractal::dimension() const {
  const auto log_of = [](std::uint32_t s) { return std::log(static_cast<double>(s)); };
  return 3 * std::log(static_cast<double>(shape_.k)) /
         (log_of(shape_.scale.x) + log_of(shape_.scale.y) + log_of(shape_.scale.z));
}

double SolidFractal::filled_share(int level) const {
  return std::pow(static_cast<double>(shape_.k) / static_cast<double>(volume(shape_.scale)), level);
}

const std::vector<SolidFractal>& solid_catalog() {
  static const std::vector<SolidFractal> fractals = {
      by_middles("menger-sponge", {0, 1}),
      // Every second corner of a cube: a regular tetrahedron.
      SolidFractal("sierpinski-tetrahedron", {2, 2, 2}, {{0, 0, 0}, {1, 1, 0}, {1, 0, 1}, {0, 1, 1}}),
      by_middles("cantor-dust", {0}),
      by_middles("vicsek-3d", {2, 3}),
      by_middles("octahedral", {2}),
      by_middles("mosely-snowflake", {1, 2}),
      // A square of replicas with one in the middle above it: unequal scales.
      SolidFractal(
          "step-pyramid", {3, 2, 3},
          points_where({3, 2, 3}, [](auto x, auto y, auto z) { return y == 1 || (x == 1 && z == 1); })),
  };
  return fractals;
}

const SolidFractal* find_solid(std::string_view name) {
  const auto& fractals = solid_catalog();
  const auto found = std::find_if(fractals.begin(), fractals.end(),
                                  [&](const SolidFractal& one) { return one.name() == name; });
  return found == fractals.end() ? nullptr : &*found;
}

namespace {

/// Calls `use(j, rho_x)` for each allowed tile size, ascending.
template <typename Use>
void for_each_allowed(const SolidFractal& fractal, int level, const Use& use) {
  for (int j = 0; j <= level; ++j) {
    const Coord3 rho = fractal.size(j);
    if (volume(rho) > kMaxBlockThreads) return;
    use(j, rho.x);
    if (fractal.shape().scale.x == 1)
      return;  // rho_x identifies the tile size, so that only j = 0 is possible
  }
}

/// The sides k^ceil(levels/3), k^ceil((levels-1)/3) and k^floor(levels/3) of compact space.
Coord3 orthotope_of(const SolidFractal& fractal, int levels) {
  const auto side = [&](int digits) { return static_cast<std::uint32_t>(fractal.cells(digits)); };
  return {side((levels + 2) / 3), side((levels + 1) / 3), side(levels / 3)};
}

}  // namespace

TiledSolid make_tiled_fractal(const SolidFractal& fractal, int level, std::uint32_t tile_size) {
  TiledSolid tiled;
  tiled.transform = SolidTransform(fractal.shape());
  tiled.level = level;
  tiled.size = fractal.size(level);
  tiled.cells = fractal.cells(level);
  tiled.tile_level = -1;
  for_each_allowed(fractal, level, [&](int j, std::uint32_t allowed) {
    if (allowed == tile_size) tiled.tile_level = j;
  });
  if (tiled.tile_level < 0) {
    throw InputError(fmt::format("tile size {} is not allowed for {} at level {}; allowed: {}", tile_size,
                                 fractal.name(), level, fmt::join(allowed_tile_sizes(fractal, level), ", ")));
  }
  tiled.coarse_level = level - tiled.tile_level;
  tiled.rho = fractal.size(tiled.tile_level);
  tiled.tile_cells = static_cast<std::uint32_t>(fractal.cells(tiled.tile_level));
  tiled.grid = fractal.size(tiled.coarse_level);
  tiled.orthotope = orthotope_of(fractal, tiled.coarse_level);
  const BoxIndex points(tiled.rho);
  for (std::uint32_t point = 0; point < tiled.points_per_tile(); ++point) {
    if (is_member(tiled.transform, tiled.tile_level, points.at(point)))
      tiled.micro_mask[point >> 5] |= 1u << (point & 31u);
  }
  return tiled;
}

std::vector<std::uint32_t> allowed_tile_sizes(const SolidFractal& fractal, int level) {
  std::vector<std::uint32_t> tile_sizes;
  for_each_allowed(fractal, level, [&](int, std::uint32_t tile_size) { tile_sizes.push_back(tile_size); });
  return tile_sizes;
}

std::uint32_t nearest_tile_size(const SolidFractal& fractal, int level, std::uint32_t most) {
  std::uint32_t nearest = 1;
  for_each_allowed(fractal, level, [&](int, std::uint32_t tile_size) {
    if (tile_size <= most) nearest = tile_size;
  });
  return nearest;
}

std::uint64_t box_points(const TiledSolid& tiled) {
  return saturating_multiply(saturating_multiply(tiled.size.x, tiled.size.y), tiled.size.z);
}

std::uint64_t box_tiles(const TiledSolid& tiled) {
  return saturating_multiply(saturating_multiply(tiled.grid.x, tiled.grid.y), tiled.grid.z);
}

SolidOrder::SolidOrder(const TiledSolid& tiled) : transform_(tiled.transform), level_(tiled.level) {
  const auto side = [&](int digits) {
    return static_cast<std::uint32_t>(*checked_power(tiled.transform.shape.k, digits));
  };
  orthotope_ = {side((level_ + 2) / 3), side((level_ + 1) / 3), side(level_ / 3)};
  split_ = BoxIndex(orthotope_);
}

}  // namespace loom
