#pragma once

#include <cstdint>

#include "compute/workload/game_of_life.h"
#include "compute/workload/life_counts.h"

namespace loom {

// Life in three dimensions on words of several cells. A TwoStateRuleOf<3> works on one byte per cell,
// SolidRuleMasks on one bit per cell, which is faster for more than four cells.

/// The words that decide the next states of a word of cells: those of the neighbours, x fastest, with the
/// word itself in the middle.
inline constexpr std::uint32_t kSolidWords = SolidRule::kNeighbours + 1;

/// A rule as masks: all ones or all zeros for each number of living cells among a cell and its neighbours,
/// for dead and for living cells.
struct SolidRuleMasks {
  static constexpr std::uint32_t kPairs = kSolidWords / 2 + 1;  ///< of the counts 2 p and 2 p + 1
  std::uint32_t next[kPairs][2][2] = {};                        ///< [p][dead or living][even or odd]
  constexpr explicit SolidRuleMasks(const TwoStateRuleOf<3>& rule) {
    for (std::uint32_t count = 0; count < 2 * kPairs; ++count) {
      for (std::uint32_t living = 0; living < 2; ++living) {
        const bool possible = count >= living && count - living <= SolidRule::kNeighbours;
        if (possible && next_state(rule, living, count - living) != 0)
          next[count / 2][living][count % 2] = ~std::uint32_t{0};
      }
    }
  }
};

/// The bits of a cell in the words of a kind of rule.
template <typename Rule>
inline constexpr std::uint32_t kBitsPerCell = 1;
template <>
inline constexpr std::uint32_t kBitsPerCell<TwoStateRuleOf<3>> = 8;

/// The next states of 32 cells: bit i depends only on the bits i of the words.
LOOM_WORD_FUNCTION std::uint32_t next_solid_word(const SolidRuleMasks& rule,
                                                 const std::uint32_t (&in)[kSolidWords]) {
  const std::uint32_t cells = in[kSolidWords / 2];
  std::uint32_t of_two[13];
  std::uint32_t of_four[6];
  std::uint32_t of_eight[3];
  std::uint32_t sixteens = 0;
  const std::uint32_t ones = add_up<27>(in, of_two);
  const std::uint32_t twos = add_up<13>(of_two, of_four);
  const std::uint32_t fours = add_up<6>(of_four, of_eight);
  const std::uint32_t eights = add_up<3>(of_eight, &sixteens);
  const std::uint32_t is[2][2] = {{~(cells | ones), ~cells & ones}, {cells & ~ones, cells & ones}};
  const auto pair = [&](int p) {
    std::uint32_t next = 0;
    for (int living = 0; living < 2; ++living) {
      for (int odd = 0; odd < 2; ++odd) next |= rule.next[p][living][odd] & is[living][odd];
    }
    return next;
  };
  const auto four = [&](int q) { return choose(pair(2 * q), pair(2 * q + 1), twos); };
  const auto eight = [&](int o) { return choose(four(2 * o), four(2 * o + 1), fours); };
  return choose(choose(eight(0), eight(1), eights), choose(eight(2), four(6), eights), sixteens);
}

/// The next states of four cells, one byte of 0 or 1 each. Sums are at most 27 and do not overflow.
LOOM_WORD_FUNCTION std::uint32_t next_solid_word(TwoStateRuleOf<3> rule,
                                                 const std::uint32_t (&in)[kSolidWords]) {
  const std::uint32_t cells = in[kSolidWords / 2];
  std::uint32_t living = 0;
  for (const std::uint32_t word : in) living += word;
  living -= cells;
  std::uint32_t next = 0;
  for (int shift = 0; shift < 32; shift += 8)
    next |= next_state(rule, cells >> shift & 1u, living >> shift & 31u) << shift;
  return next;
}

}  // namespace loom
