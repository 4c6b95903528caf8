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

  /// The group beside `group` in a direction; kNone where there is none.
  LOOM_HOST_DEVICE std::uint32_t beside(std::uint32_t group, int direction) const {
    std::uint64_t found = 0;
    std::uint64_t weight = 1;
    std::uint32_t rest = group;
    auto d = static_cast<std::uint32_t>(direction);
    while (true) {
      const std::uint32_t quotient = base_.divide(rest);
      const std::uint32_t digit = rest - quotient * base_.value();
      const std::uint32_t entry = table_[d * base_.value() + digit];
      found += weight * (entry & 0xffffu);
      d = entry >> 16;
      if (d >= kDirections) {
        if (d == kHole) return kNone;
        // The coarsest digits taken at once may be more than there are: then a step can lead out of the
        // fractal into a digit that it does not have.
        const std::uint64_t whole = found + weight * base_.value() * quotient;
        return whole < groups_ ? static_cast<std::uint32_t>(whole) : kNone;
      }
      rest = quotient;
      weight *= base_.value();
      if (weight >= groups_) return kNone;
    }
  }

  /// The entries of a table, direction after direction: the digit's successor, and in the high half the
  /// direction in which the next digit steps, kDirections for none, kHole where there is nothing.
  static constexpr std::uint32_t kHole = kDirections + 1;
  static std::uint32_t base_of(const BitPlanes& planes);
  static std::vector<std::uint32_t> make_table(const BitPlanes& planes);

 private:
  const std::uint32_t* table_ = nullptr;
  FastDivisor<std::uint32_t> base_;
  std::uint32_t groups_ = 1;
};

}  // namespace loom
