#include "compute/workload/larger_planes.h"

#include <fmt/format.h>

#include <algorithm>

namespace loom {
namespace {

/// A wider tile has a smaller part of its box around it.
constexpr std::uint32_t kMostSide = 128;
/// What the shared memory of every GPU holds.
constexpr std::uint32_t kMostBytes = 48 * 1024;

/// The tiles, without the tables.
LargeTiles tiles_of(const BitPlanes& planes, std::uint32_t radius) {
  LargeTiles tiles{.planes = planes, .radius = radius};
  for (; tiles.levels < planes.level; ++tiles.levels) {
    const NbbShape& shape = planes.digit_shape(tiles.levels + 1);
    const bool of_group = tiles.levels < planes.low_levels();
    const std::uint32_t x = tiles.side_x * shape.s_x;
    const std::uint32_t y = tiles.side_y * shape.s_y;
    if (!of_group && (x > kMostSide || y > kMostSide)) break;
    tiles.side_x = x;
    tiles.side_y = y;
    if (!of_group) tiles.groups *= shape.k;
  }
  tiles.around_x = (radius + tiles.side_x - 1) / tiles.side_x;
  tiles.around_y = (radius + tiles.side_y - 1) / tiles.side_y;
  tiles.words = (tiles.side_x + 31) / 32;
  tiles.strip = std::clamp(radius, 8u, 16u);
  return tiles;
}

/// The places of the numbers whose digits are those of the levels from `first` to before `last`.
void add_places(const LargeTiles& tiles, int first, int last, std::vector<Coord32>& places) {
  Coord32 scale{1, 1};
  std::uint32_t count = 1;
  for (int mu = 0; mu < last; ++mu) {
    const NbbShape& shape = tiles.planes.digit_shape(mu + 1);
    if (mu < first) {
      scale = {scale.x * shape.s_x, scale.y * shape.s_y};
    } else {
      count *= shape.k;
    }
  }
  for (std::uint32_t number = 0; number < count; ++number) {
    Coord32 at{};
    Coord32 side = scale;
    std::uint32_t digits = number;
    for (int mu = first; mu < last; ++mu) {
      const NbbShape& shape = tiles.planes.digit_shape(mu + 1);
      at.x += side.x * shape.offset_x[digits % shape.k];
      at.y += side.y * shape.offset_y[digits % shape.k];
      digits /= shape.k;
      side = {side.x * shape.s_x, side.y * shape.s_y};
    }
    places.push_back(at);
  }
}

}  // namespace

LargeTileTables::LargeTileTables(const BitPlanes& planes, std::uint32_t radius)
    : tiles_(tiles_of(planes, radius)) {
  std::vector<Coord32> places;
  const int planes_end = planes.split.plane_levels;
  add_places(tiles_, 0, planes_end, places);
  add_places(tiles_, planes_end, planes.low_levels(), places);
  add_places(tiles_, planes.low_levels(), tiles_.levels, places);
  for (const Coord32 at : places) places_.push_back(at.y * tiles_.pitch() * 32 + at.x);
  const auto in_box = [&](std::int64_t at, std::uint32_t side) {
    return at >= -std::int64_t{radius} && at < std::int64_t{side} + radius;
  };
  for (std::int64_t dy = -std::int64_t{tiles_.around_y}; dy <= tiles_.around_y; ++dy) {
    for (std::int64_t dx = -std::int64_t{tiles_.around_x}; dx <= tiles_.around_x; ++dx) {
      for (std::uint32_t group = 0; group < tiles_.groups; ++group) {
        for (std::uint32_t plane = 0; plane < planes.planes; ++plane) {
          std::uint64_t bits = 0;
          for (std::uint32_t bit = 0; bit < planes.bits; ++bit) {
            const Coord32 at[] = {places[plane], places[planes.planes + bit],
                                  places[planes.planes + planes.bits + group]};
            const std::int64_t x = dx * tiles_.side_x + at[0].x + at[1].x + at[2].x;
            const std::int64_t y = dy * tiles_.side_y + at[0].y + at[1].y + at[2].y;
            if (in_box(x, tiles_.side_x) && in_box(y, tiles_.side_y)) bits |= std::uint64_t{1} << bit;
          }
          near_.push_back(bits);
        }
      }
    }
  }
  tiles_ = tiles(places_.data(), near_.data());
}

LargeTiles LargeTileTables::tiles(const std::uint32_t* places, const std::uint64_t* near) const {
  LargeTiles tiles = tiles_;
  tiles.plane_at = places;
  tiles.bit_at = tiles.plane_at + tiles.planes.planes;
  tiles.group_at = tiles.bit_at + tiles.planes.bits;
  tiles.near = near;
  return tiles;
}

std::string why_no_large_tiles(const BitPlanes& planes, std::uint32_t radius) {
  std::uint64_t x = 1;
  std::uint64_t y = 1;
  for (int mu = 0; mu < planes.low_levels(); ++mu) {
    x *= planes.shape.s_x;
    y *= planes.shape.s_y;
  }
  constexpr std::uint64_t kMostWidth = 1 << 20;
  if (x <= kMostWidth && y <= kMostWidth) {
    const LargeTiles tiles = tiles_of(planes, radius);
    const std::uint64_t words =
        tiles.tiles_around() + (2 * std::uint64_t{tiles.side_y} + 2 * radius) * tiles.pitch();
    if (words * sizeof(std::uint32_t) <= kMostBytes) return {};
  }
  return fmt::format(
      "groups of bit planes have {} x {} points here, and those within radius {} do not fit into the shared "
      "memory of a thread block; allowed: --map bounding-box, or byte storage",
      x, y, radius);
}

}  // namespace loom
