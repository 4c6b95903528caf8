#pragma once

#include <cstdint>
#include <type_traits>

#include "compute/core/host_device.h"

namespace loom {

/// A rule of the game of life over all neighbours of a cell, 8 in two dimensions and 26 in three: bit c of
/// `birth` (`survival`) means that a dead (living) cell with c living neighbours is alive in the next
/// generation. The defaults are B2/S23, the rule of the papers, and B5..7/S4..7.
template <int kDimensions>
struct LifeRuleOf {
  using Counts = std::conditional_t<kDimensions == 2, std::uint16_t, std::uint32_t>;
  static constexpr std::uint32_t kNeighbours = kDimensions == 2 ? 8 : 26;
  Counts birth = kDimensions == 2 ? 1u << 2 : 0xe0;
  Counts survival = kDimensions == 2 ? 1u << 2 | 1u << 3 : 0xf0;
  friend constexpr bool operator==(const LifeRuleOf&, const LifeRuleOf&) = default;
};
using LifeRule = LifeRuleOf<2>;
using SolidRule = LifeRuleOf<3>;

/// The state of a cell in the next generation. `around` is 16 times the cell's state, 0 or 1, plus the number
/// of its living neighbours, 0..8.
LOOM_HOST_DEVICE std::uint8_t next_state(LifeRule rule, std::uint32_t around) {
  // Both lists are in one word, which avoids an unpredictable branch on the cell's state.
  const std::uint32_t both = rule.birth | (std::uint32_t{rule.survival} << 16);
  return static_cast<std::uint8_t>((both >> around) & 1u);
}
LOOM_HOST_DEVICE std::uint8_t next_state(LifeRule rule, std::uint32_t alive, std::uint32_t neighbours) {
  return next_state(rule, alive * 16 + neighbours);
}
LOOM_HOST_DEVICE constexpr std::uint32_t next_state(SolidRule rule, std::uint32_t alive,
                                                    std::uint32_t living) {
  return ((alive != 0 ? rule.survival : rule.birth) >> living) & 1u;
}

}  // namespace loom
