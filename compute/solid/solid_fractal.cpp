#include "compute/solid/solid_fractal.h"

#include <fmt/format.h>

#include <algorithm>
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
  const auto found = std::ranges::find(fractals, name, [](const SolidFractal& one) { return one.name(); });
  return found == fractals.end() ? nullptr : &*found;
}

}  // namespace loom
