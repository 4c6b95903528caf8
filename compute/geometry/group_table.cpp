#include "compute/geometry/group_table.h"

#include "compute/geometry/plane_program.h"

namespace loom {
namespace {

/// The neighbour, in a direction, of a cell of `levels` levels from level `mu` up: as plain_neighbour(), for
/// levels of different shapes.
PlainNeighbour neighbour_in_levels(const BitPlanes& planes, int mu, int levels, std::uint64_t digits,
                                   int direction) {
  PlainNeighbour next{0, direction};
  std::int64_t weight = 1;
  for (int i = 0; i < levels; ++i) {
    const NbbShape& shape = planes.digit_shape(mu + i);
    std::uint64_t digit = digits % shape.k;
    digits /= shape.k;
    if (next.leaves != kDirections) {
      const PlainNeighbour step = plain_neighbour(shape, 1, digit, next.leaves);
      if (step.digits < 0) return {-1, kDirections};
      digit = static_cast<std::uint64_t>(step.digits);
      next.leaves = step.leaves;
    }
    next.digits += weight * static_cast<std::int64_t>(digit);
    weight *= shape.k;
  }
  return next;
}

}  // namespace

GroupTable::GroupTable(const BitPlanes& planes) {
  constexpr std::uint32_t kEntries = GroupNeighbours::kEntries;
  view_.first_ = planes.first_group;
  view_.groups_ = planes.whole_groups;
  int mu = planes.low_levels() + 1;
  int run = 0;
  do {
    // As many digits per look-up as a table can hold. If it holds all of them, no entry leads to a group that
    // does not exist.
    std::uint32_t base = 1;
    int levels = 0;
    while (mu + levels <= planes.level && base * planes.digit_shape(mu + levels).k <= kEntries)
      base *= planes.digit_shape(mu + levels++).k;
    view_.bases_[run] = FastDivisor<std::uint32_t>(base);
    const std::size_t first = entries_.size();
    entries_.resize(first + std::size_t{kDirections} * kEntries, GroupNeighbours::kHole);
    for (int d = 0; d < kDirections; ++d) {
      for (std::uint32_t digits = 0; digits < base; ++digits) {
        const PlainNeighbour next = neighbour_in_levels(planes, mu, levels, digits, d);
        if (next.digits < 0) continue;
        std::uint32_t& entry = entries_[first + static_cast<std::size_t>(d) * kEntries + digits];
        entry = GroupNeighbours::kNear + static_cast<std::uint32_t>(next.digits) - digits;
        if (next.leaves != kDirections)
          entry |= GroupNeighbours::kFar | static_cast<std::uint32_t>(next.leaves)
                                               << GroupNeighbours::kDirectionShift;
      }
    }
    mu += levels;
    ++run;
  } while (planes.is_mixed() && mu <= planes.level);
  if (planes.is_mixed()) view_.next_table_ = kDirections * kEntries;
  // A uniform fractal repeats its only table.
  for (; run < GroupNeighbours::kMaxRuns; ++run) view_.bases_[run] = view_.bases_[0];
}

GroupNeighbours GroupTable::neighbours(const std::uint32_t* entries) const {
  GroupNeighbours found = view_;
  found.table_ = entries;
  return found;
}

}  // namespace loom
