#pragma once

#include <cstdint>

#include "compute/core/host_device.h"

namespace loom {

/// A rule of the game of life over the eight Moore neighbours: bit c of `birth` (`survival`) means that a
/// dead (living) cell with c living neighbours, c = 0..8, is alive in the next generation.
struct LifeRule {
  std::uint16_t birth = 1u << 2;  ///< B2/S23, the rule of the papers
  std::uint16_t survival = (1u << 2) | (1u << 3);
  friend constexpr bool operator==(const LifeRule&, const LifeRule&) = default;
};

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

}  // namespace loom
