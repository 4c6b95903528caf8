#pragma once

#include <cstdint>

#include "compute/core/fast_divisor.h"
#include "compute/core/host_device.h"

namespace loom {

/// The neighbours of a group, found by rewriting its digits: a step in a direction changes the finest digit,
/// and continues with the next digit where it leaves the box. A table covers several digits at a time, so
/// that one look-up finds nearly all neighbours; a mixed fractal has a table for each run of digits. Groups
/// are numbered within their partition; a number that is not below the partition's group count belongs to
/// another partition. The class is a view of a table (group_table.h) in memory that the calling threads can
/// read.
class GroupNeighbours {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  GroupNeighbours() = default;

  /// A group number split into its finest digits and the rest. It serves all directions.
  struct Digits {
    std::uint32_t group = 0;
    std::uint32_t finest = 0;
    std::uint32_t rest = 0;
  };
  LOOM_HOST_DEVICE Digits digits_of(std::uint32_t group) const {
    const std::uint32_t of_all = group + first_;
    const std::uint32_t rest = bases_[0].divide(of_all);
    return {group, of_all - rest * bases_[0].value(), rest};
  }
  /// The digits of the next group, for the first group of a pair.
  LOOM_HOST_DEVICE Digits digits_of_next(const Digits& group) const {
    if (bases_[0].value() % 2 != 0) return digits_of(group.group + 1);
    return {group.group + 1, group.finest + 1, group.rest};
  }

  /// A table entry is the distance to the neighbour plus kNear; kHole if there is no neighbour. With kFar the
  /// step carries into the digits above, which lookup_far() resolves.
  static constexpr std::uint32_t kNear = 512;
  static constexpr std::uint32_t kFar = 2048;
  static constexpr std::uint32_t kHole = 0x80000000u;
  LOOM_HOST_DEVICE std::uint32_t look(const Digits& group, int direction) const {
    return table_[static_cast<std::uint32_t>(direction) * kEntries + group.finest];
  }
  /// The neighbour for an entry without kFar; for kHole a number beyond all groups.
  LOOM_HOST_DEVICE static std::uint32_t near(const Digits& group, std::uint32_t entry) {
    return group.group - kNear + entry;
  }
  /// The neighbour for an entry with kFar; kNone if there is none.
  LOOM_HOST_DEVICE std::uint32_t lookup_far(const Digits& group, std::uint32_t entry) const {
    std::uint32_t found = near(group, entry & kDistance);
    std::uint32_t rest = group.rest;
    std::uint32_t weight = 1;
    // The number of values of the digits `rest`; one if no digits remain.
    std::uint32_t count = groups_;
    std::uint32_t first = 0;  // of the run's table
    for (int run = 1;; ++run) {
      count = bases_[run - 1].divide(count);
      if (count <= 1) return kNone;
      weight *= bases_[run - 1].value();
      first += next_table_;
      const FastDivisor<std::uint32_t>& base = bases_[run];
      const std::uint32_t above = base.divide(rest);
      const std::uint32_t digits = rest - above * base.value();
      entry = table_[first + (entry >> kDirectionShift & 7u) * kEntries + digits];
      if (entry == kHole) return kNone;
      found += weight * ((entry & kDistance) - kNear);
      if (!(entry & kFar)) {
        // The coarsest group of digits may be incomplete, so that a step can lead to a digit that does not
        // exist.
        return count < base.value() && digits + entry - kNear >= count ? kNone : found;
      }
      rest = above;
    }
  }
  /// The neighbour of a group in a direction; kNone if there is none.
  LOOM_HOST_DEVICE std::uint32_t beside(const Digits& group, int direction) const {
    const std::uint32_t entry = look(group, direction);
    if (entry == kHole) return kNone;
    return entry & kFar ? lookup_far(group, entry) : near(group, entry);
  }
  LOOM_HOST_DEVICE std::uint32_t beside(std::uint32_t group, int direction) const {
    return beside(digits_of(group), direction);
  }

 private:
  friend class GroupTable;
  /// Entries per direction, few enough for the table to stay in a first-level cache.
  static constexpr std::uint32_t kEntries = 512;
  static constexpr std::uint32_t kDistance = 1023;
  static constexpr int kDirectionShift = 12;
  /// More runs than 31 bits need: two successive ones have more than kEntries values.
  static constexpr int kMaxRuns = 8;

  const std::uint32_t* table_ = nullptr;
  std::uint32_t next_table_ =
      0;  ///< entries from a run's table to that of the next run; 0: one table for all
  FastDivisor<std::uint32_t> bases_[kMaxRuns];  ///< number of values of each run, the finest first
  std::uint32_t first_ = 0;                     ///< first group of the partition
  std::uint32_t groups_ = 1;                    ///< groups of the whole fractal
};

}  // namespace loom
