#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "compute/core/host_device.h"

namespace loom {

/// A rule of life over the 26 neighbours in three dimensions: bit c of `birth` (`survival`) means that a dead
/// (living) cell with c living neighbours, c = 0..26, is alive in the next generation.
struct SolidRule {
  std::uint32_t birth = 0xe0;  ///< B5..7/S4..7
  std::uint32_t survival = 0xf0;
  friend constexpr bool operator==(const SolidRule&, const SolidRule&) = default;
};
inline constexpr std::uint32_t kSolidNeighbours = 26;

/// The state of a cell in the next generation.
LOOM_HOST_DEVICE constexpr std::uint32_t next_state(SolidRule rule, std::uint32_t alive,
                                                    std::uint32_t living) {
  return ((alive != 0 ? rule.survival : rule.birth) >> living) & 1u;
}

/// Reads a rule in one of these notations; spaces and case are ignored:
/// - "B5..7/S4..7", "S4,6,12..14/B5": counts from 0 to 26 and ranges, separated by commas; either list may be
///   empty;
/// - "5766", Bays' notation: the smallest and the largest count of survival, then of birth; also
/// "10,21,10,21". Throws InputError.
SolidRule parse_solid_rule(std::string_view text);
/// The rule as "B5..7/S4..7".
std::string to_string(SolidRule rule);

}  // namespace loom
