#pragma once

#include <cstdint>
#include <type_traits>

#include "compute/core/host_device.h"
#include "compute/core/word_intrinsics.h"

namespace loom {

/// The neighbourhoods of Larger than Life with radius R, Golly's letters M, N and C: the box |dx|, |dy| <= R,
/// the diamond |dx| + |dy| <= R, and the circle dx^2 + dy^2 <= R^2 + R.
enum class Neighbourhood : std::uint8_t { kBox, kDiamond, kCircle };

/// Numbers of living neighbours from `first` to `last`.
struct CountRange {
  std::uint16_t first = 0;
  std::uint16_t last = 0;
  LOOM_HOST_DEVICE bool has(std::uint32_t count) const {
    return count - first <= std::uint32_t{last} - first;
  }
  friend constexpr bool operator==(const CountRange&, const CountRange&) = default;
};

/// What a rule of Larger than Life has instead of lists: more neighbours, and one range for each list.
struct LargerThanLife {
  static constexpr std::uint32_t kMaxRadius = 16;
  std::uint8_t radius = 0;  ///< 1 to kMaxRadius; 0: the rule has lists
  Neighbourhood shape = Neighbourhood::kBox;
  bool middle = false;  ///< a living cell counts itself
  CountRange birth = {};
  CountRange survival = {};
  friend constexpr bool operator==(const LargerThanLife&, const LargerThanLife&) = default;

  /// The neighbours in a row `dy` <= radius rows away are those with |dx| up to this.
  constexpr std::uint32_t half_width(std::uint32_t dy) const {
    if (shape == Neighbourhood::kBox) return radius;
    if (shape == Neighbourhood::kDiamond) return radius - dy;
    const std::uint32_t most = std::uint32_t{radius} * radius + radius - dy * dy;
    std::uint32_t width = 0;
    while ((width + 1) * (width + 1) <= most) ++width;
    return width;
  }
  /// The cells of the neighbourhood, the middle among them.
  constexpr std::uint32_t area() const {
    std::uint32_t sum = 2 * half_width(0) + 1;
    for (std::uint32_t dy = 1; dy <= radius; ++dy) sum += 2 * (2 * half_width(dy) + 1);
    return sum;
  }
};

/// A rule of life over all neighbours of a cell, 8 in two dimensions and 26 in three. The states are 0 dead,
/// 1 alive, and from 2 on refractory. Bit c of `birth` means that a dead cell with c living neighbours is
/// alive in the next generation, bit c of `survival` that a living one stays alive; otherwise it goes to
/// state 2. A refractory cell goes on by one state per generation. After the last state a cell is dead. The
/// defaults are B2/S23, the rule of the papers, and B5..7/S4..7.
template <int kDimensions>
struct LifeRuleOf {
  using Counts = std::conditional_t<kDimensions == 2, std::uint16_t, std::uint32_t>;
  static constexpr std::uint32_t kNeighbours = kDimensions == 2 ? 8 : 26;
  static constexpr std::uint32_t kMaxStates = 255;
  Counts birth = kDimensions == 2 ? 1u << 2 : 0xe0;
  Counts survival = kDimensions == 2 ? 1u << 2 | 1u << 3 : 0xf0;
  std::uint8_t states = 2;     ///< 2 to kMaxStates
  LargerThanLife larger = {};  ///< in two dimensions only; the lists are then not used
  constexpr bool is_larger() const { return larger.radius > 0; }
  /// Whether a dead cell without living neighbours is born.
  constexpr bool births_alone() const { return is_larger() ? larger.birth.first == 0 : (birth & 1u) != 0; }
  friend constexpr bool operator==(const LifeRuleOf&, const LifeRuleOf&) = default;
};
using LifeRule = LifeRuleOf<2>;
using SolidRule = LifeRuleOf<3>;

/// A rule of two states, which need fewer operations, as kernels take it.
template <int kDimensions>
struct TwoStateRuleOf {
  typename LifeRuleOf<kDimensions>::Counts birth = 0;
  typename LifeRuleOf<kDimensions>::Counts survival = 0;
  TwoStateRuleOf() = default;
  /// `rule` must have two states.
  constexpr explicit TwoStateRuleOf(const LifeRuleOf<kDimensions>& rule)
      : birth(rule.birth), survival(rule.survival) {}
};
using TwoStateRule = TwoStateRuleOf<2>;

/// Calls `use` with a rule of lists as kernels take it: a TwoStateRuleOf if it has two states, otherwise
/// `rule`.
template <int kDimensions, typename Use>
decltype(auto) with_states(const LifeRuleOf<kDimensions>& rule, Use&& use) {
  if (rule.states == 2) return use(TwoStateRuleOf<kDimensions>(rule));
  return use(rule);
}

/// Which of the cells of a word, one byte each, are alive: 1 or 0 per byte.
template <int kDimensions, typename Word>
LOOM_HOST_DEVICE Word living_of(const TwoStateRuleOf<kDimensions>&, Word states) {
  return states;
}
template <int kDimensions, typename Word>
LOOM_HOST_DEVICE Word living_of(const LifeRuleOf<kDimensions>&, Word states) {
  return sizeof(Word) == 1 ? static_cast<Word>(states == 1) : ones_of(states);
}

/// Whether the lists make a cell alive. `around` is 16 times 1 for a living cell, 0 for another one, plus the
/// number of its living neighbours, 0..8.
template <typename Rule>
LOOM_HOST_DEVICE std::uint8_t listed(const Rule& rule, std::uint32_t around) {
  // Both lists are in one word, which avoids an unpredictable branch on the cell's state.
  const std::uint32_t both = rule.birth | (std::uint32_t{rule.survival} << 16);
  return static_cast<std::uint8_t>((both >> around) & 1u);
}

/// The state of a cell in the next generation. `own` is its state and `alive` what the lists say of it.
template <int kDimensions>
LOOM_HOST_DEVICE std::uint8_t state_after(const TwoStateRuleOf<kDimensions>&, std::uint32_t,
                                          std::uint32_t alive) {
  return static_cast<std::uint8_t>(alive);
}
template <int kDimensions>
LOOM_HOST_DEVICE std::uint8_t state_after(const LifeRuleOf<kDimensions>& rule, std::uint32_t own,
                                          std::uint32_t alive) {
  const std::uint32_t later = own == 0 || own + 1 >= rule.states ? 0 : own + 1;
  return static_cast<std::uint8_t>(own <= 1 && alive != 0 ? 1 : later);
}

/// The state of a cell in the next generation, from its state and the number of its living neighbours.
LOOM_HOST_DEVICE std::uint8_t next_state(TwoStateRule rule, std::uint32_t own, std::uint32_t living) {
  return listed(rule, own * 16 + living);
}
LOOM_HOST_DEVICE std::uint8_t next_state(LifeRule rule, std::uint32_t own, std::uint32_t living) {
  return state_after(rule, own, listed(rule, (own == 1 ? 16 : 0) + living));
}
LOOM_HOST_DEVICE constexpr std::uint32_t next_state(const TwoStateRuleOf<3>& rule, std::uint32_t own,
                                                    std::uint32_t living) {
  return ((own != 0 ? rule.survival : rule.birth) >> living) & 1u;
}
LOOM_HOST_DEVICE std::uint32_t next_state(const SolidRule& rule, std::uint32_t own, std::uint32_t living) {
  return state_after(rule, own, (own == 1 ? rule.survival : rule.birth) >> living & 1u);
}

}  // namespace loom
