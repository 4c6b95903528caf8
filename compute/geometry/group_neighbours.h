#pragma once

#include <cstdint>
#include <vector>

#include "compute/core/fast_divisor.h"
#include "compute/core/host_device.h"
#include "compute/geometry/bit_planes.h"

namespace loom {

/// The groups beside a group, by rewriting its digits: a step into a direction changes the finest digit, and
/// where that leaves the box goes on with the next. Several digits are taken at a time, so one look-up finds
/// nearly all. A view of a table that lies where threads read it.
class GroupNeighbours {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  GroupNeighbours() = default;
  GroupNeighbours(const BitPlanes& planes, std::uint32_t digits_base, const std::uint32_t* table)
      : table_(table), base_(digits_base), groups_(planes.groups) {}

  /// A group's finest digits, taken off: the same for all directions.
  struct Digits {
    std::uint32_t finest = 0;
    std::uint32_t rest = 0;
  };
  LOOM_HOST_DEVICE Digits digits_of(std::uint32_t group) const {
    const std::uint32_t rest = base_.divide(group);
    return {group - rest * base_.value(), rest};
  }
  /// The group beside one in a direction; kNone where there is none.
  LOOM_HOST_DEVICE std::uint32_t beside(const Digits& group, int direction) const {
    const std::uint32_t entry = table_[static_cast<std::uint32_t>(direction) * base_.value() + group.finest];
    const std::uint32_t next = entry >> 16;
    if (next == kHole) return kNone;
    std::uint64_t found = entry & 0xffffu;
    if (next >= kDirections) {
      found += std::uint64_t{group.rest} * base_.value();
    } else if (!carry(group.rest, next, found)) {
      return kNone;
    }
    // The coarsest digits taken at once may be more than there are: then a step can lead out of the fractal
    // into a digit that it does not have.
    return found < groups_ ? static_cast<std::uint32_t>(found) : kNone;
  }
  LOOM_HOST_DEVICE std::uint32_t beside(std::uint32_t group, int direction) const {
    return beside(digits_of(group), direction);
  }

  /// The entries of a table, direction after direction: the digit's successor, and in the high half the
  /// direction in which the next digit steps, kDirections for none, kHole where there is nothing.
  static constexpr std::uint32_t kHole = kDirections + 1;
  static std::uint32_t base_of(const BitPlanes& planes);
  static std::vector<std::uint32_t> make_table(const BitPlanes& planes);

 private:
  /// Goes on with the digits `rest` above the finest, which step into direction `d`; adds them to `found`.
  /// False where there is nothing.
  LOOM_HOST_DEVICE bool carry(std::uint32_t rest, std::uint32_t d, std::uint64_t& found) const {
    for (std::uint64_t weight = base_.value(); weight < groups_; weight *= base_.value()) {
      const std::uint32_t above = base_.divide(rest);
      const std::uint32_t entry = table_[d * base_.value() + (rest - above * base_.value())];
      d = entry >> 16;
      if (d == kHole) return false;
      found += weight * (entry & 0xffffu);
      if (d >= kDirections) {
        found += weight * base_.value() * above;
        return true;
      }
      rest = above;
    }
    return false;
  }

  const std::uint32_t* table_ = nullptr;
  FastDivisor<std::uint32_t> base_;
  std::uint32_t groups_ = 1;
};

}  // namespace loom
