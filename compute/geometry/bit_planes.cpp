#include "compute/geometry/bit_planes.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "compute/core/integer_math.h"
#include "compute/geometry/plane_program.h"

namespace loom {
namespace {

/// More groups would need more memory than devices have. GroupNeighbours marks holes by larger numbers.
constexpr std::uint64_t kMostGroups = (std::uint64_t{1} << 31) - 512;

/// The levels that a split divides: those of a fractal from the finest up that have one generator.
struct LowLevels {
  NbbShape shape;  ///< in the fractal's order
  int alike = 0;   ///< number of them
};
LowLevels low_levels_of(const TiledFractal& fractal) {
  if (fractal.is_uniform() || fractal.level == 0) return {fractal.shape, fractal.level};
  LowLevels low{fractal.level_shape(1), 1};
  while (low.alike < fractal.level && fractal.level_shape(low.alike + 1) == low.shape) ++low.alike;
  return low;
}

/// The split of a fractal. Bits come first if its low levels are too few for all planes.
PlaneSplit split_of(const LowLevels& low, int level) {
  if (low.alike == level) return split_planes(low.shape, level);
  PlaneSplit split = split_planes(low.shape, kAnyHighLevel);
  split.plane_levels = std::min(split.plane_levels, low.alike - split.bit_levels);
  return split;
}

std::uint64_t groups_of(const NbbShape& shape, int level) {
  const PlaneSplit split = split_planes(shape, level);
  return checked_power(shape.k, level - split.plane_levels - split.bit_levels)
      .value_or(std::numeric_limits<std::uint64_t>::max());
}

/// The directions in which the groups of a mixed fractal are adjacent: from the coarsest level down, those
/// within the box of a level and those that continue a direction of the level above.
std::uint32_t directions_between_groups(const TiledFractal& fractal, int low_levels) {
  std::uint32_t occur = 0;
  for (int mu = fractal.level; mu > low_levels; --mu) {
    const NbbShape& shape = fractal.level_shape(mu);
    std::uint32_t here = 0;
    for (int d = 0; d < kDirections; ++d) {
      for (std::uint64_t digit = 0; digit < shape.k; ++digit) {
        const PlainNeighbour next = plain_neighbour(shape, 1, digit, d);
        if (next.digits >= 0 && (next.leaves == kDirections || (occur >> next.leaves & 1u))) here |= 1u << d;
      }
    }
    occur = here;
  }
  return occur;
}

std::string why_no_planes(const NbbShape& shape, int level) {
  if (groups_of(shape, level) <= kMostGroups) return {};
  int most = level;
  while (groups_of(shape, most) > kMostGroups) --most;
  return fmt::format("bit planes of level {1} have too many groups for 31 bits; allowed: levels up to {0}",
                     most, level);
}

/// The planes of a shape, without what depends on the levels above the groups' own cells.
BitPlanes planes_of(const NbbShape& shape, const PlaneSplit& split, int level) {
  BitPlanes planes;
  planes.shape = plane_shape(shape);
  for (std::uint32_t digit = 0; digit < shape.k; ++digit) {
    planes.replica[digit] = static_cast<std::uint8_t>(
        shape.replica_at[planes.shape.offset_y[digit] * shape.s_x + planes.shape.offset_x[digit]]);
  }
  planes.level = level;
  planes.split = split;
  planes.planes = static_cast<std::uint32_t>(small_power(shape.k, split.plane_levels));
  planes.bits = static_cast<std::uint32_t>(small_power(shape.k, split.bit_levels));
  planes.groups_in_word = split.slot_bits == 16 ? 2 : 1;
  planes.k = FastDivisor<std::uint32_t>(shape.k);
  planes.planes_divisor = FastDivisor<std::uint64_t>(planes.planes);
  planes.bits_divisor = FastDivisor<std::uint64_t>(planes.bits);
  return planes;
}

/// Sets the number of groups and the canonical index, given the number of replicas of each level.
template <typename ReplicasOf>
void set_groups(BitPlanes& planes, std::uint64_t cells, const ReplicasOf& replicas_of) {
  planes.cells = cells;
  planes.groups = static_cast<std::uint32_t>(cells / (std::uint64_t{planes.planes} * planes.bits));
  planes.whole_groups = planes.groups;
  for (int mu = 1; mu <= planes.level; mu += 2) planes.canonical_width *= replicas_of(mu);
  std::uint64_t odd = 1;
  std::uint64_t even = planes.canonical_width;
  for (int mu = 1; mu <= planes.level; ++mu) {
    std::uint64_t& weight = mu % 2 == 1 ? odd : even;
    planes.index_weight[mu - 1] = weight;
    weight *= replicas_of(mu);
  }
}

}  // namespace

NbbShape plane_shape(const NbbShape& shape) {
  return in_plane_order(shape);
}

std::string why_no_planes(const TiledFractal& fractal) {
  if (fractal.is_uniform()) return why_no_planes(fractal.shape, fractal.level);
  const LowLevels low = low_levels_of(fractal);
  const int needed = split_planes(low.shape, kAnyHighLevel).bit_levels;
  if (low.alike < needed && low.alike < fractal.level) {
    return fmt::format(
        "bit planes need one generator for the lowest {} levels, and the generator of level 1 is that of {} "
        "level{} here; allowed with this fractal: --storage bytes",
        needed, low.alike, low.alike == 1 ? "" : "s");
  }
  const PlaneSplit split = split_of(low, fractal.level);
  if (fractal.cells / small_power(low.shape.k, split.plane_levels + split.bit_levels) <= kMostGroups)
    return {};
  return fmt::format(
      "bit planes of level {} have too many groups for 31 bits; allowed: lower levels, --storage bytes",
      fractal.level);
}

BitPlanes make_bit_planes(const NbbShape& shape, int level) {
  BitPlanes planes = planes_of(shape, split_planes(shape, level), level);
  set_groups(planes, checked_power(shape.k, level).value(), [&](int) { return std::uint64_t{shape.k}; });
  return planes;
}

BitPlanes make_bit_planes(const TiledFractal& fractal) {
  if (fractal.is_uniform()) return make_bit_planes(fractal.shape, fractal.level);
  const LowLevels low = low_levels_of(fractal);
  BitPlanes planes = planes_of(low.shape, split_of(low, fractal.level), fractal.level);
  planes.levels = fractal.levels;
  planes.group_directions = directions_between_groups(fractal, planes.low_levels());
  set_groups(planes, fractal.cells, [&](int mu) { return std::uint64_t{fractal.level_shape(mu).k}; });
  return planes;
}

BitPlanes part_of(const BitPlanes& whole, GroupRange range) {
  BitPlanes part = whole;
  if (range.groups == 0) return part;
  part.first_group = range.first;
  part.groups = range.groups;
  return part;
}

std::uint64_t bytes_of_planes(const TiledFractal& fractal) {
  if (fractal.is_turned() || !why_no_planes(fractal).empty())
    return std::numeric_limits<std::uint64_t>::max();
  return make_bit_planes(fractal).bytes();
}

}  // namespace loom
