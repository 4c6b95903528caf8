#pragma once

#include <cstdint>

#include "compute/core/fast_divisor.h"
#include "compute/core/host_device.h"

namespace loom {

/// The groups beside a group, by rewriting its digits: a step into a direction changes the finest digit, and
/// where that leaves the box goes on with the next. Several digits are taken at a time, so one look-up finds
/// nearly all. Groups are numbered as in their part, where planes are one: what is beside a group is then of
/// another part where its number is not below the part's groups. A view of a table (group_table.h) that lies
/// where threads read it.
class GroupNeighbours {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  GroupNeighbours() = default;

  /// A group's finest digits, taken off: the same for all directions.
  struct Digits {
    std::uint32_t group = 0;
    std::uint32_t finest = 0;
    std::uint32_t rest = 0;
  };
  LOOM_HOST_DEVICE Digits digits_of(std::uint32_t group) const {
    const std::uint32_t of_all = group + first_;
    const std::uint32_t rest = base_.divide(of_all);
    return {group, of_all - rest * base_.value(), rest};
  }
  /// Those of the next group, `group` being one of an even number of groups that come in pairs.
  LOOM_HOST_DEVICE Digits digits_of_next(const Digits& group) const {
    if (base_.value() % 2 != 0) return digits_of(group.group + 1);
    return {group.group + 1, group.finest + 1, group.rest};
  }

  /// An entry of the table says how far the group beside is: that plus kNear. kHole where there is nothing;
  /// with kFar the step is carried on to the digits above, by look_far().
  static constexpr std::uint32_t kNear = 512;
  static constexpr std::uint32_t kFar = 2048;
  static constexpr std::uint32_t kHole = 0x80000000u;
  LOOM_HOST_DEVICE std::uint32_t look(const Digits& group, int direction) const {
    return table_[static_cast<std::uint32_t>(direction) * kEntries + group.finest];
  }
  /// The group beside for an entry without kFar; for kHole one beyond all groups.
  LOOM_HOST_DEVICE static std::uint32_t near(const Digits& group, std::uint32_t entry) {
    return group.group - kNear + entry;
  }
  /// The same for an entry with kFar; kNone where there is none.
  LOOM_HOST_DEVICE std::uint32_t look_far(const Digits& group, std::uint32_t entry) const {
    std::uint32_t found = near(group, entry & kDistance);
    std::uint32_t rest = group.rest;
    std::uint32_t weight = base_.value();
    // How many numbers the digits `rest` can be; one where there are no more digits.
    for (std::uint32_t count = base_.divide(groups_); count > 1; count = base_.divide(count)) {
      const std::uint32_t above = base_.divide(rest);
      const std::uint32_t digits = rest - above * base_.value();
      entry = table_[(entry >> kDirectionShift & 7u) * kEntries + digits];
      if (entry == kHole) return kNone;
      found += weight * ((entry & kDistance) - kNear);
      if (!(entry & kFar)) {
        // The coarsest digits may be fewer than are taken at once: a step can lead into one that is not
        // there.
        return count < base_.value() && digits + entry - kNear >= count ? kNone : found;
      }
      rest = above;
      weight *= base_.value();
    }
    return kNone;
  }
  /// The group beside one in a direction; kNone where there is none.
  LOOM_HOST_DEVICE std::uint32_t beside(const Digits& group, int direction) const {
    const std::uint32_t entry = look(group, direction);
    if (entry == kHole) return kNone;
    return entry & kFar ? look_far(group, entry) : near(group, entry);
  }
  LOOM_HOST_DEVICE std::uint32_t beside(std::uint32_t group, int direction) const {
    return beside(digits_of(group), direction);
  }

 private:
  friend class GroupTable;
  /// A direction's entries: few enough that the table stays in a first-level cache.
  static constexpr std::uint32_t kEntries = 512;
  static constexpr std::uint32_t kDistance = 1023;
  static constexpr int kDirectionShift = 12;

  const std::uint32_t* table_ = nullptr;
  FastDivisor<std::uint32_t> base_;
  std::uint32_t first_ = 0;   ///< of the part
  std::uint32_t groups_ = 1;  ///< of the fractal
};

}  // namespace loom
