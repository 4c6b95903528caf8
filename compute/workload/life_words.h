#pragma once

#include <cstdint>

#include "compute/core/host_device.h"
#include "compute/workload/game_of_life.h"

namespace loom {

// Life on words with one bit per cell: every operation processes all cells of a word. Word is an unsigned
// integer or a vector of unsigned integers.

/// A rule as masks: all ones or all zeros for each number of living neighbours, for dead and for living
/// cells.
struct RuleMasks {
  std::uint32_t dead[9] = {};
  std::uint32_t living[9] = {};
  RuleMasks() = default;
  explicit RuleMasks(LifeRule rule) {
    for (unsigned count = 0; count < 9; ++count) {
      dead[count] = (rule.birth >> count & 1u) ? ~0u : 0u;
      living[count] = (rule.survival >> count & 1u) ? ~0u : 0u;
    }
  }
};

/// Counts the set bits of up to eight words at each bit position, as four words: the count at bit i is the
/// sum of bit i of `ones` + 2 * `twos` + ...
template <typename Word>
struct CountWords {
  Word ones, twos, fours, eights;
};

#if defined(__CUDACC__)
#define LOOM_WORD_FUNCTION __host__ __device__ __forceinline__
#else
#define LOOM_WORD_FUNCTION [[gnu::always_inline]] inline
#endif

template <typename Word>
LOOM_WORD_FUNCTION void full_add(Word a, Word b, Word c, Word& sum, Word& carry) {
  sum = a ^ b ^ c;
  carry = (a & b) | (c & (a | b));
}

/// Counts eight words; missing words are 0. Uses four full adders and three half adders.
template <typename Word>
LOOM_WORD_FUNCTION CountWords<Word> count_words(const Word (&in)[8]) {
  Word sum_a, sum_b, sum_c, carry_a, carry_b, carry_c;
  full_add(in[0], in[1], in[2], sum_a, carry_a);
  full_add(in[3], in[4], in[5], sum_b, carry_b);
  full_add(sum_a, sum_b, in[6], sum_c, carry_c);
  CountWords<Word> count;
  count.ones = sum_c ^ in[7];
  const Word carry_d = sum_c & in[7];
  Word sum_e, carry_e;
  full_add(carry_a, carry_b, carry_c, sum_e, carry_e);
  count.twos = sum_e ^ carry_d;
  const Word carry_f = sum_e & carry_d;
  count.fours = carry_e ^ carry_f;
  count.eights = carry_e & carry_f;
  return count;
}

/// The mask of a rule, repeated for every bit of a word.
template <typename Word>
LOOM_WORD_FUNCTION Word whole_word(std::uint32_t mask) {
  if constexpr (sizeof(Word) == sizeof(mask)) {
    return mask;
  } else {
    return Word{} - (mask & 1u);
  }
}

/// Bitwise selection: `zero` where `by` is 0, otherwise `one`.
template <typename Word>
LOOM_WORD_FUNCTION Word choose(Word zero, Word one, Word by) {
  return zero ^ ((zero ^ one) & by);
}

template <typename Word>
LOOM_WORD_FUNCTION Word look_up(const std::uint32_t (&masks)[9], const CountWords<Word>& count) {
  Word pairs[4];
  for (int i = 0; i < 4; ++i) {
    pairs[i] = choose(whole_word<Word>(masks[2 * i]), whole_word<Word>(masks[2 * i + 1]), count.ones);
  }
  const Word low = choose(pairs[0], pairs[1], count.twos);
  const Word high = choose(pairs[2], pairs[3], count.twos);
  return choose(choose(low, high, count.fours), whole_word<Word>(masks[8]), count.eights);
}

/// The next generation of the cells of a word.
template <typename Word>
LOOM_WORD_FUNCTION Word next_word(const RuleMasks& rule, Word cells, const CountWords<Word>& count) {
  return choose(look_up(rule.dead, count), look_up(rule.living, count), cells);
}

}  // namespace loom
