#include "compute/solid/solid_map.h"

#include <algorithm>

#include "compute/core/integer_math.h"

namespace loom {
namespace {

/// Whether the point of the box around a tile, (1, 1, 1) being the tile's first point, has a cell of the tile
/// as a neighbour.
bool touches_tile(const TiledSolid& tiled, Coord3 at) {
  for (std::uint32_t n = 0; n < kSolidSteps; ++n) {
    const Coord3 beside = neighbour_place({at.x - 1, at.y - 1, at.z - 1}, n);
    if (beside.x >= tiled.rho.x || beside.y >= tiled.rho.y || beside.z >= tiled.rho.z) continue;
    if (tiled.micro_member(static_cast<std::uint32_t>(index_in(tiled.rho, beside)))) return true;
  }
  return false;
}

}  // namespace

SolidTables::SolidTables(const TiledSolid& tiled) : arithmetic(SolidTableArithmetic::build(tiled)) {
  const Coord3 rho = tiled.rho;
  const Coord3 box{rho.x + 2, rho.y + 2, rho.z + 2};
  const BoxIndex points(box);
  std::vector<StagedPoint> halo;
  for (std::uint32_t target = 0; target < volume(box); ++target) {
    const Coord3 at = points.at(target);
    Coord3 in{at.x - 1, at.y - 1, at.z - 1};
    const std::uint32_t tile = take_neighbour_tile(in, rho);
    const auto source = static_cast<std::uint32_t>(index_in(rho, in));
    if (!tiled.micro_member(source)) continue;
    const auto narrow = [](std::uint32_t value) { return static_cast<std::uint16_t>(value); };
    const StagedPoint point{narrow(tile), narrow(source), narrow(target),
                            narrow(at.x), narrow(at.y),   narrow(at.z)};
    if (tile == kSolidSelf) {
      tile_cells.push_back(in.x | in.y << 11 | in.z << 22);
      staged.push_back(point);
    } else if (touches_tile(tiled, at)) {
      halo_tiles |= 1u << tile;
      halo.push_back(point);
    }
  }
  // Sorted by tile, so that the threads of a warp read from one or two tiles.
  std::stable_sort(halo.begin(), halo.end(),
                   [](const StagedPoint& a, const StagedPoint& b) { return a.tile < b.tile; });
  staged.insert(staged.end(), halo.begin(), halo.end());
}

namespace {

constexpr std::uint64_t kMaxEntries = 1024;

/// `levels` divided into groups as equal as possible, the finest first. Does not allocate memory.
struct LevelGroups {
  int levels = 0;
  int count = 0;
  int size(int c) const { return levels * (c + 1) / count - levels * c / count; }
};

LevelGroups balanced_groups(int levels, std::uint64_t entries_per_level) {
  int most = 1;
  while (*checked_power(entries_per_level, most + 1) <= kMaxEntries) ++most;
  return {levels, (levels + most - 1) / most};
}

std::uint32_t power(std::uint64_t base, int exponent) {
  return static_cast<std::uint32_t>(*checked_power(base, exponent));
}

/// The digits of one axis of omega; axis 0 has the levels 1, 4, 7, ...
LevelGroups digits_of_axis(const TiledSolid& tiled, int axis) {
  return balanced_groups((tiled.coarse_level + 2 - axis) / 3, tiled.transform.shape.k);
}
LevelGroups levels_of_nu(const TiledSolid& tiled) {
  return balanced_groups(tiled.coarse_level, volume(tiled.transform.shape.scale));
}

/// s_x^m, s_y^m and s_z^m.
Coord3 box_of(const SolidShape& shape, int m) {
  return {power(shape.scale.x, m), power(shape.scale.y, m), power(shape.scale.z, m)};
}

}  // namespace

SolidTableArithmetic::SolidTableArithmetic(const TiledSolid& tiled, const SolidEntry* entries) {
  const SolidShape& shape = tiled.transform.shape;
  for (int axis = 0; axis < 3; ++axis) {
    const LevelGroups groups = digits_of_axis(tiled, axis);
    DigitGroups& tables = axes_[axis];
    for (int c = 0; c < groups.count; ++c) {
      const std::uint32_t size = power(shape.k, groups.size(c));
      tables.base[tables.count] = FastDivisor<std::uint32_t>(size);
      tables.entries[tables.count++] = entries;
      entries += size;
    }
  }
  const LevelGroups groups = levels_of_nu(tiled);
  for (int c = 0; c < groups.count; ++c) {
    const Coord3 box = box_of(shape, groups.size(c));
    nu_.side_x[nu_.count] = FastDivisor<std::uint32_t>(box.x);
    nu_.side_y[nu_.count] = FastDivisor<std::uint32_t>(box.y);
    nu_.side_z[nu_.count] = FastDivisor<std::uint32_t>(box.z);
    nu_.entries[nu_.count++] = entries;
    entries += volume(box);
  }
}

std::vector<SolidEntry> SolidTableArithmetic::build(const TiledSolid& tiled) {
  const SolidTransform& f = tiled.transform;
  const SolidShape& shape = f.shape;
  std::vector<SolidEntry> entries;
  // Levels are added one by one: lambda with all other digits zero would add replica 0, which need not be at
  // the origin.
  for (int axis = 0; axis < 3; ++axis) {
    const LevelGroups groups = digits_of_axis(tiled, axis);
    int first = 0;
    for (int c = 0; c < groups.count; ++c) {
      const int digits = groups.size(c);
      const std::uint32_t size = power(shape.k, digits);
      for (std::uint32_t number = 0; number < size; ++number) {
        SolidEntry entry;
        std::uint32_t rest = number;
        for (int i = first; i < first + digits; ++i) {
          const std::uint32_t beta = f.k.take_digit(rest);
          const Coord3 weight = box_of(shape, 3 * i + axis);
          entry.sum.x += shape.offset_x[beta] * weight.x;
          entry.sum.y += shape.offset_y[beta] * weight.y;
          entry.sum.z += shape.offset_z[beta] * weight.z;
        }
        entries.push_back(entry);
      }
      first += digits;
    }
  }
  const LevelGroups groups = levels_of_nu(tiled);
  int first = 0;
  for (int c = 0; c < groups.count; ++c) {
    const int levels = groups.size(c);
    const Coord3 box = box_of(shape, levels);
    const BoxIndex points(box);
    for (std::uint64_t point = 0; point < volume(box); ++point) {
      SolidEntry entry;
      Coord3 rest = points.at(point);
      for (int m = first; m < first + levels; ++m) {
        const std::uint32_t x = f.s_x.take_digit(rest.x);
        const std::uint32_t y = f.s_y.take_digit(rest.y);
        const std::uint32_t z = f.s_z.take_digit(rest.z);
        const int replica = shape.replica(x, y, z);
        if (replica < 0) {
          entry = {{}, 1};
          break;
        }
        std::uint32_t& digits = m % 3 == 0 ? entry.sum.x : m % 3 == 1 ? entry.sum.y : entry.sum.z;
        digits += static_cast<std::uint32_t>(replica) * power(shape.k, m / 3);
      }
      entries.push_back(entry);
    }
    first += levels;
  }
  return entries;
}

}  // namespace loom
