#pragma once

#include <bit>
#include <cstdint>

#include "compute/workload/larger_life.h"
#include "compute/workload/life_words.h"

namespace loom {

// Larger than Life in bit-packed storage: counts of box neighbourhoods as planes of words (BitCounts), one
// for each point of a row. Going down the rows, a count changes by the points of the row that enters its box
// minus those of the row that leaves it. Both are summed along the row at once, as numbers of -1, 0 and 1, in
// windows of twice as many points each time.

/// What a rule makes of counts with the middle among them, as masks for each bit of a count.
struct LargeMasks {
  /// All ones where `first` has no 1, and where `last` has one.
  struct Range {
    std::uint32_t not_first[11];
    std::uint32_t of_last[11];
  };
  Range birth;
  Range survival;
  /// `rule` must be larger, with two states and box neighbourhoods.
  explicit LargeMasks(const LifeRule& rule) {
    const LargerThanLife& larger = rule.larger;
    const std::uint32_t own = larger.middle ? 0 : 1;
    for (int i = 0; i < 11; ++i) {
      const auto set = [&](Range& range, CountRange counts, std::uint32_t more) {
        range.not_first[i] = (counts.first + more) >> i & 1u ? 0 : ~0u;
        range.of_last[i] = (counts.last + more) >> i & 1u ? ~0u : 0;
      };
      set(birth, larger.birth, 0);
      set(survival, larger.survival, own);
    }
  }
};

/// Bits of the elements of a word, which is an integer or a vector of integers.
template <typename Word>
inline constexpr int kElementBits = static_cast<int>(8 * sizeof(Word{}[0]));
template <>
inline constexpr int kElementBits<std::uint32_t> = 32;
template <>
inline constexpr int kElementBits<std::uint64_t> = 64;

/// Word `w` of words that are moved down by kBy bits; 0 comes from beyond the last one.
template <int kBy, typename Word, int kWords>
LOOM_WORD_FUNCTION Word moved_down(const Word (&words)[kWords], int w) {
  constexpr int kBits = kElementBits<Word>;
  constexpr int kPart = kBy % kBits;
  const int low = w + kBy / kBits;
  const Word none{};
  const Word first = low < kWords ? words[low] : none;
  if constexpr (kPart == 0) {
    return first;
  } else {
    return first >> kPart | (low + 1 < kWords ? words[low + 1] : none) << (kBits - kPart);
  }
}

/// Sums of kCount numbers of -1, 0 and 1, one for each bit of some words, in two's complement.
template <typename Word, int kWords, int kCount>
struct RowChanges {
  static constexpr int kBits = std::bit_width(static_cast<unsigned>(kCount)) + 1;
  Word planes[kBits][kWords];
};

/// The sums for the kCount points from each point of a row on. Bit by bit, `came` has the points that count 1
/// and `left` those that count -1.
template <int kCount, typename Word, int kWords>
LOOM_WORD_FUNCTION void sum_changes(const Word (&came)[kWords], const Word (&left)[kWords],
                                    RowChanges<Word, kWords, kCount>& sums) {
  constexpr int kBits = RowChanges<Word, kWords, kCount>::kBits;
  if constexpr (kCount == 1) {
    LOOM_UNROLL
    for (int w = 0; w < kWords; ++w) {
      sums.planes[0][w] = came[w] ^ left[w];
      sums.planes[1][w] = ~came[w] & left[w];
    }
  } else if constexpr (kCount % 2 == 0) {
    constexpr int kHalf = kCount / 2;
    RowChanges<Word, kWords, kHalf> half;
    sum_changes<kHalf>(came, left, half);
    LOOM_UNROLL
    for (int w = 0; w < kWords; ++w) {
      Word carry{};
      LOOM_UNROLL
      for (int i = 0; i < kBits; ++i) {
        const int from = i < half.kBits ? i : half.kBits - 1;  // the sign goes on
        full_add(half.planes[from][w], moved_down<kHalf>(half.planes[from], w), carry, sums.planes[i][w],
                 carry);
      }
    }
  } else {
    RowChanges<Word, kWords, kCount - 1> before;
    static_assert(before.kBits == kBits);
    sum_changes<kCount - 1>(came, left, before);
    LOOM_UNROLL
    for (int w = 0; w < kWords; ++w) {
      const Word more = moved_down<kCount - 1>(came, w);
      const Word less = moved_down<kCount - 1>(left, w);
      Word b = more ^ less;
      Word carry{};
      LOOM_UNROLL
      for (int i = 0; i < kBits; ++i) {
        full_add(before.planes[i][w], b, carry, sums.planes[i][w], carry);
        b = ~more & less;
      }
    }
  }
}

/// The planes of counts in a neighbourhood.
template <int kRadius>
inline constexpr int kBoxPlanes = std::bit_width(static_cast<unsigned>((2 * kRadius + 1) *
                                                                       (2 * kRadius + 1)));

/// Adds word `w` of changes to counts.
template <int kPlanes, typename Word, int kWords, int kCount>
LOOM_WORD_FUNCTION void add_changes(const RowChanges<Word, kWords, kCount>& changes, int w,
                                    Word (&counts)[kPlanes]) {
  constexpr int kBits = RowChanges<Word, kWords, kCount>::kBits;
  Word carry{};
  LOOM_UNROLL
  for (int i = 0; i < kPlanes; ++i) {
    full_add(counts[i], changes.planes[i < kBits ? i : kBits - 1][w], carry, counts[i], carry);
  }
}

template <typename Word, int kPlanes>
LOOM_WORD_FUNCTION Word counts_in(const LargeMasks::Range& range, const Word (&counts)[kPlanes]) {
  Word reaches = ~Word{};
  Word stays = ~Word{};
  LOOM_UNROLL
  for (int i = 0; i < kPlanes; ++i) {
    Word sum;
    full_add(counts[i], whole_word<Word>(range.not_first[i]), reaches, sum, reaches);
    full_add(~counts[i], whole_word<Word>(range.of_last[i]), stays, sum, stays);
  }
  return reaches & stays;
}

/// The next generation of the points of a word; those that are not cells too.
template <typename Word, int kPlanes>
LOOM_WORD_FUNCTION Word next_large_word(const LargeMasks& rule, Word alive, const Word (&counts)[kPlanes]) {
  return choose(counts_in(rule.birth, counts), counts_in(rule.survival, counts), alive);
}

/// Calls `use` with a radius of 1 to LargerThanLife::kMaxRadius as a constant.
template <int kRadius = 1, typename Use>
[[gnu::always_inline]] inline void with_radius(int radius, const Use& use) {
  if constexpr (kRadius < static_cast<int>(LargerThanLife::kMaxRadius)) {
    if (radius != kRadius) return with_radius<kRadius + 1>(radius, use);
  }
  use(std::integral_constant<int, kRadius>{});
}

}  // namespace loom
