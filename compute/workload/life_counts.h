#pragma once

#include <cstdint>

#include "compute/workload/life_words.h"

namespace loom {

// Life on words of 32 cells when the largest possible number of neighbours of each word is known at compile
// time: work that this bound excludes is not generated. Part of the arithmetic uses a GPU's multipliers, in
// parallel with its logic units.

/// A rule for neighbour counts in bit-sliced form. Two neighbour counts that differ only in their lowest bit
/// share the expression base + factor * ones, which evaluates to ones, its complement, all or none.
struct CountRule {
  std::uint32_t base[2][5] = {};  ///< [dead or living][pair of counts]; the last is for eight
  std::uint32_t factor[2][4] = {};
  CountRule() = default;
  constexpr explicit CountRule(LifeRule rule) {
    for (unsigned living = 0; living < 2; ++living) {
      const unsigned counts = living ? rule.survival : rule.birth;
      const auto mask = [&](unsigned count) { return counts >> count & 1u ? ~std::uint32_t{0} : 0u; };
      for (unsigned pair = 0; pair < 5; ++pair) base[living][pair] = mask(2 * pair);
      for (unsigned pair = 0; pair < 4; ++pair) factor[living][pair] = mask(2 * pair) - mask(2 * pair + 1);
    }
  }
};

/// Adds kCount >= 1 words of the same weight: returns the lowest bits of the sum, and kCount / 2 words of
/// twice the weight.
template <int kCount>
LOOM_WORD_FUNCTION std::uint32_t add_up(const std::uint32_t* in, std::uint32_t* carries) {
  std::uint32_t sum = in[0];
  int carry = 0;
  for (int i = 1; i + 1 < kCount; i += 2) {
    const std::uint32_t before = sum;
    full_add(before, in[i], in[i + 1], sum, carries[carry++]);
  }
  if constexpr (kCount % 2 == 0) {
    carries[carry] = sum & in[kCount - 1];
    sum ^= in[kCount - 1];
  }
  return sum;
}

/// The next generation of `cells`, whose neighbours are in kCount words. `none` is the next state of dead
/// cells without living neighbours: base[0][0] of the rule, or that value under a mask.
template <int kCount>
LOOM_WORD_FUNCTION std::uint32_t next_of_counted(const CountRule& rule, std::uint32_t none,
                                                 std::uint32_t cells, const std::uint32_t* in) {
  static_assert(kCount >= 0 && kCount <= 8);
  if constexpr (kCount == 0) {
    return choose(none, rule.base[1][0], cells);
  } else {
    std::uint32_t ones = 0, twos = 0, fours = 0, eights = 0;
    std::uint32_t pairs[4];
    std::uint32_t quads[2];
    ones = add_up<kCount>(in, pairs);
    if constexpr (kCount >= 2) twos = add_up<kCount / 2>(pairs, quads);
    if constexpr (kCount >= 4) fours = add_up<kCount / 4>(quads, &eights);
    const auto of = [&](int living) {
      const auto leaf = [&](int pair) {
        const std::uint32_t base = pair == 0 && living == 0 ? none : rule.base[living][pair];
        return 2 * pair + 1 <= kCount ? base + rule.factor[living][pair] * ones : base;
      };
      if constexpr (kCount < 2) {
        return leaf(0);
      } else if constexpr (kCount < 4) {
        return choose(leaf(0), leaf(1), twos);
      } else if constexpr (kCount < 6) {
        return choose(choose(leaf(0), leaf(1), twos), leaf(2), fours);
      } else {
        const std::uint32_t found =
            choose(choose(leaf(0), leaf(1), twos), choose(leaf(2), leaf(3), twos), fours);
        if constexpr (kCount < 8) {
          return found;
        } else {
          return choose(found, rule.base[living][4], eights);
        }
      }
    };
    return choose(of(0), of(1), cells);
  }
}

}  // namespace loom
