#include "compute/geometry/bit_planes.h"

#include <fmt/format.h>

#include <limits>

#include "compute/core/integer_math.h"
#include "compute/geometry/plane_program.h"

namespace loom {
namespace {

/// More groups would need more memory than devices have. GroupNeighbours marks holes by larger numbers.
constexpr std::uint64_t kMostGroups = (std::uint64_t{1} << 31) - 512;

std::uint64_t groups_of(const NbbShape& shape, int level) {
  const PlaneSplit split = split_planes(shape, level);
  return checked_power(shape.k, level - split.plane_levels - split.bit_levels)
      .value_or(std::numeric_limits<std::uint64_t>::max());
}

}  // namespace

NbbShape plane_shape(const NbbShape& shape) {
  return in_plane_order(shape);
}

std::string why_no_planes(const NbbShape& shape, int level) {
  if (groups_of(shape, level) <= kMostGroups) return {};
  int most = level;
  while (groups_of(shape, most) > kMostGroups) --most;
  return fmt::format("bit planes of level {1} have too many groups for 31 bits; allowed: levels up to {0}",
                     most, level);
}

BitPlanes make_bit_planes(const NbbShape& shape, int level) {
  BitPlanes planes;
  planes.shape = plane_shape(shape);
  for (std::uint32_t digit = 0; digit < shape.k; ++digit) {
    planes.replica[digit] = static_cast<std::uint8_t>(
        shape.replica_at[planes.shape.offset_y[digit] * shape.s_x + planes.shape.offset_x[digit]]);
  }
  planes.level = level;
  planes.split = split_planes(shape, level);
  planes.planes = static_cast<std::uint32_t>(small_power(shape.k, planes.split.plane_levels));
  planes.bits = static_cast<std::uint32_t>(small_power(shape.k, planes.split.bit_levels));
  planes.groups = static_cast<std::uint32_t>(groups_of(shape, level));
  planes.whole_groups = planes.groups;
  planes.groups_in_word = planes.split.slot_bits == 16 ? 2 : 1;
  planes.cells = checked_power(shape.k, level).value();
  std::uint64_t odd = 1;
  std::uint64_t even = small_power(shape.k, (level + 1) / 2);
  for (int mu = 1; mu <= level; ++mu) {
    std::uint64_t& weight = mu % 2 == 1 ? odd : even;
    planes.index_weight[mu - 1] = weight;
    weight *= shape.k;
  }
  planes.k = FastDivisor<std::uint32_t>(shape.k);
  planes.planes_divisor = FastDivisor<std::uint64_t>(planes.planes);
  planes.bits_divisor = FastDivisor<std::uint64_t>(planes.bits);
  return planes;
}

BitPlanes part_of(const BitPlanes& whole, GroupRange range) {
  BitPlanes part = whole;
  if (range.groups == 0) return part;
  part.first_group = range.first;
  part.groups = range.groups;
  return part;
}

std::uint64_t bytes_of_planes(const NbbShape& shape, int level) {
  if (!why_no_planes(shape, level).empty()) return std::numeric_limits<std::uint64_t>::max();
  return make_bit_planes(shape, level).bytes();
}

}  // namespace loom
