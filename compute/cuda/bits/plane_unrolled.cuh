#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "compute/core/host_device.h"
#include "compute/core/word_intrinsics.h"
#include "compute/cuda/bits/plane_step.cuh"
#include "compute/geometry/plane_bytes.h"
#include "compute/geometry/plane_program.h"
#include "compute/workload/life_counts.h"

namespace loom::cuda {

// One generation of a thread's words, all in registers, with a program that is known at compile time. Words
// of 64 bits are processed as two halves, as the machine does.

/// Calls `use` with the constants 0 to kCount - 1.
template <int kCount, typename Use>
LOOM_WORD_FUNCTION void unroll(const Use& use) {
  [&]<int... kIndex>(std::integer_sequence<int, kIndex...>) {
    (use(std::integral_constant<int, kIndex>{}), ...);
  }
  (std::make_integer_sequence<int, kCount>{});
}

/// The compile-time parameters of a kernel for one fractal, at levels from a + b on: Shape::kShape is in
/// plane_shape()'s order.
template <typename Shape>
struct UnrolledProgram {
  static constexpr NbbShape kShape = Shape::kShape;
  static constexpr PlaneProgram kProgram = make_plane_program(kShape, split_planes(kShape, kAnyHighLevel));
  using Word = std::conditional_t<kProgram.split.slot_bits == 64, std::uint64_t, std::uint32_t>;
  static constexpr int kPlanes = kProgram.planes;
  static constexpr int kHaloWords = kProgram.halo_word_count;
  static constexpr int kHalves = sizeof(Word) / 4;
  static constexpr bool kHasBytes = has_bytes(kShape, kProgram.split);
  static constexpr PlaneBytes kBytes = kHasBytes ? make_plane_bytes(kShape, kProgram) : PlaneBytes{};
};

template <typename Of>
struct Halves {
  std::uint32_t half[Of::kHalves];
};
template <typename Of>
LOOM_WORD_FUNCTION Halves<Of> halves_of(typename Of::Word word) {
  if constexpr (Of::kHalves == 2) {
    return {{static_cast<std::uint32_t>(word), static_cast<std::uint32_t>(word >> 32)}};
  } else {
    return {{word}};
  }
}
template <typename Of>
LOOM_WORD_FUNCTION typename Of::Word whole(const Halves<Of>& word) {
  if constexpr (Of::kHalves == 2) {
    return word.half[0] | std::uint64_t{word.half[1]} << 32;
  } else {
    return word.half[0];
  }
}

/// ORs shifted bits of a word into `to`; only the halves that supply or receive bits are processed.
template <typename Of, int kShift, std::uint64_t kMask>
LOOM_WORD_FUNCTION void or_moved(const Halves<Of>& from, Halves<Of>& to) {
  unroll<Of::kHalves>([&](auto h) {
    constexpr int kHalf = decltype(h)::value;
    constexpr auto kHere = static_cast<std::uint32_t>(kMask >> (32 * kHalf));
    if constexpr (kHere != 0) {
      constexpr int kBy = kShift + 32 * kHalf;
      constexpr int kFirst = kBy + std::countr_zero(kHere);
      constexpr int kLast = kBy + 31 - std::countl_zero(kHere);
      if constexpr (kFirst < 32 && kLast >= 32) {
        to.half[kHalf] |= funnel_shift(from.half[0], from.half[Of::kHalves - 1], kBy) & kHere;
      } else {
        constexpr int kIn = kFirst / 32;
        constexpr int kRight = kBy - 32 * kIn;
        if constexpr (kRight >= 0) {
          to.half[kHalf] |= (from.half[kIn] >> kRight) & kHere;
        } else {
          to.half[kHalf] |= (from.half[kIn] << -kRight) & kHere;
        }
      }
    }
  });
}

/// The words of all relations by shifts, from their planes' own words and those of the halo.
template <typename Of>
LOOM_WORD_FUNCTION void relate_by_shifts(const Halves<Of> (&own)[Of::kPlanes], const Halves<Of>* halo,
                                         Halves<Of>* related) {
  unroll<Of::kProgram.relation_count>([&](auto i) {
    constexpr PlaneProgram::Relation kOf = Of::kProgram.relations[decltype(i)::value];
    Halves<Of> word{};
    const auto add = [&](const Halves<Of>& source, auto first, auto count) {
      unroll<decltype(count)::value>([&](auto s) {
        constexpr MaskedShift kShift = Of::kProgram.shifts[decltype(first)::value + decltype(s)::value];
        or_moved<Of, kShift.shift, kShift.mask>(source, word);
      });
    };
    constexpr ShiftRange kInner = Of::kProgram.inner[kOf.direction];
    add(own[kOf.plane], std::integral_constant<int, kInner.first>{},
        std::integral_constant<int, kInner.last - kInner.first>{});
    unroll<kDirections>([&](auto g) {
      constexpr int kHaloWord = kOf.halo_word[decltype(g)::value];
      if constexpr (kHaloWord != PlaneProgram::kNoSource) {
        constexpr ShiftRange kRange = Of::kProgram.halo[kOf.direction][decltype(g)::value];
        add(halo[kHaloWord], std::integral_constant<int, kRange.first>{},
            std::integral_constant<int, kRange.last - kRange.first>{});
      }
    });
    related[i] = word;
  });
}

/// The composition of four bytes of a moved word: from two registers, then from one more register at a time.
struct ByteChoice {
  int count = 0;          ///< number of registers
  int registers[4] = {};  ///< 2 * group (kDirections for the own group) + half
  /// [i]: the selector when register i joins, from 1 on; [1] selects from the first two.
  std::uint32_t choice[4] = {};
};
constexpr ByteChoice byte_choice(const PlaneBytes::Moved& moved, int first) {
  ByteChoice bytes;
  int of[4] = {};
  for (int i = 0; i < 4; ++i) {
    of[i] = -1;  // any byte will do
    if (moved.byte[first + i] < 0) continue;
    const int from = 2 * moved.from[first + i] + moved.byte[first + i] / 4;
    int at = 0;
    while (at < bytes.count && bytes.registers[at] != from) ++at;
    if (at == bytes.count) bytes.registers[bytes.count++] = from;
    of[i] = at;
  }
  for (int join = 1; join < 4; ++join) {
    for (int i = 0; i < 4; ++i) {
      const int byte = moved.byte[first + i] % 4;
      const int digit = of[i] == join ? 4 + byte : of[i] == 0 && join == 1 ? byte : i;
      bytes.choice[join] |= static_cast<std::uint32_t>(digit) << (4 * i);
    }
  }
  return bytes;
}
constexpr int find_halo_word(const PlaneProgram& program, int plane, int direction) {
  for (int i = 0; i < program.halo_word_count; ++i) {
    if (program.halo_words[i].plane == plane && program.halo_words[i].direction == direction) return i;
  }
  return -1;
}

/// The same if a digit is a byte: whole bytes of the own words and of the halo words first, then bits within
/// bytes.
template <typename Of>
LOOM_WORD_FUNCTION void relate_by_bytes(const Halves<Of> (&own)[Of::kPlanes], const Halves<Of>* halo,
                                        Halves<Of>* related) {
  Halves<Of> moved[Of::kBytes.moved_count];
  unroll<Of::kBytes.moved_count>([&](auto m) {
    constexpr PlaneBytes::Moved kOf = Of::kBytes.moved[decltype(m)::value];
    unroll<2>([&](auto h) {
      constexpr int kFirst = 4 * decltype(h)::value;
      constexpr ByteChoice kChoice = byte_choice(kOf, kFirst);
      const auto from = [&](auto at) {
        constexpr int kRegister = kChoice.registers[decltype(at)::value];
        if constexpr (kRegister / 2 == kDirections) {
          return own[kOf.plane].half[kRegister % 2];
        } else {
          constexpr int kHaloWord = find_halo_word(Of::kProgram, kOf.plane, kRegister / 2);
          return halo[kHaloWord].half[kRegister % 2];
        }
      };
      std::uint32_t word = from(std::integral_constant<int, 0>{});
      if constexpr (kChoice.count == 1) word = byte_permute(word, word, kChoice.choice[1]);
      unroll<(kChoice.count > 1 ? kChoice.count - 1 : 0)>([&](auto i) {
        constexpr int kJoin = decltype(i)::value + 1;
        word = byte_permute(word, from(std::integral_constant<int, kJoin>{}), kChoice.choice[kJoin]);
      });
      moved[m].half[h] = word;
    });
  });
  unroll<Of::kProgram.relation_count>([&](auto i) {
    constexpr PlaneBytes::Relation kOf = Of::kBytes.relations[decltype(i)::value];
    Halves<Of> word{};
    unroll<kOf.count>([&](auto s) {
      constexpr PlaneBytes::Part kPart = kOf.parts[decltype(s)::value];
      constexpr int kPlane = Of::kProgram.relations[decltype(i)::value].plane;
      if constexpr (kPart.moved < 0) {
        or_moved<Of, kPart.shift.shift, kPart.shift.mask>(own[kPlane], word);
      } else {
        or_moved<Of, kPart.shift.shift, kPart.shift.mask>(moved[kPart.moved], word);
      }
    });
    related[i] = word;
  });
}

/// The next generation: calls `take(plane, word)` for each plane. `none` as in next_of_counted().
template <typename Of, typename Take>
LOOM_WORD_FUNCTION void next_of_planes(const CountRule& rule, const Halves<Of>& none,
                                       const Halves<Of> (&own)[Of::kPlanes], const Halves<Of>* halo,
                                       const Take& take) {
  constexpr int kRelations = Of::kProgram.relation_count;
  Halves<Of> related[kRelations > 0 ? kRelations : 1];
  if constexpr (Of::kHasBytes) {
    relate_by_bytes<Of>(own, halo, related);
  } else {
    relate_by_shifts<Of>(own, halo, related);
  }
  unroll<Of::kPlanes>([&](auto p) {
    constexpr int kPlane = decltype(p)::value;
    constexpr int kCount = Of::kProgram.source_count[kPlane];
    Halves<Of> next;
    unroll<Of::kHalves>([&](auto h) {
      std::uint32_t in[kCount > 0 ? kCount : 1];
      unroll<kCount>([&](auto i) {
        constexpr int kSource = Of::kProgram.sources[kPlane][decltype(i)::value];
        if constexpr (kSource < Of::kPlanes) {
          in[i] = own[kSource].half[h];
        } else {
          in[i] = related[kSource - Of::kPlanes].half[h];
        }
      });
      next.half[h] = next_of_counted<kCount>(rule, none.half[h], own[p].half[h], in);
    });
    take(p, next);
  });
}

/// The first word of thread `t`.
template <int kPlanes>
__device__ __forceinline__ std::uint64_t first_word(std::uint32_t t) {
  return t + std::uint64_t{t & ~31u} * (kPlanes - 1);
}

/// The halo words that thread `t`'s relations read, from the neighbours of its groups.
template <typename Of>
__device__ __forceinline__ void load_halo(const PlaneGroups& groups, std::uint32_t t,
                                          const typename Of::Word* __restrict__ from, Halves<Of>* halo) {
  constexpr int kSlots = Of::kProgram.groups_in_word;
  const GroupNeighbours& neighbours = groups.neighbours;
  GroupNeighbours::Digits digits[kSlots];
  digits[0] = neighbours.digits_of(t * kSlots);
  if constexpr (kSlots == 2) digits[1] = neighbours.digits_of_next(digits[0]);
  // Nearly all threads find all neighbours by one look-up each; one test covers all further look-ups.
  std::uint32_t entries[kSlots][kDirections];
  std::uint32_t beside[kSlots][kDirections];
  std::uint32_t all = 0;
  unroll<kSlots>([&](auto slot) {
    const bool here = decltype(slot)::value == 0 || t * kSlots + slot < groups.groups;
    unroll<kDirections>([&](auto g) {
      if constexpr (Of::kProgram.halo_directions >> decltype(g)::value & 1u) {
        entries[slot][g] = here ? neighbours.look(digits[slot], g) : GroupNeighbours::kHole;
        beside[slot][g] = GroupNeighbours::near(digits[slot], entries[slot][g]);
        all |= entries[slot][g];
      }
    });
  });
  if (all & GroupNeighbours::kFar) {
    unroll<kSlots>([&](auto slot) {
      unroll<kDirections>([&](auto g) {
        if constexpr (Of::kProgram.halo_directions >> decltype(g)::value & 1u) {
          if (entries[slot][g] & GroupNeighbours::kFar)
            beside[slot][g] = neighbours.lookup_far(digits[slot], entries[slot][g]);
        }
      });
    });
  }
  unroll<kDirections>([&](auto g) {
    if constexpr (Of::kProgram.halo_directions >> decltype(g)::value & 1u) {
      constexpr int kDirection = decltype(g)::value;
      std::uint64_t first[kSlots];
      unroll<kSlots>([&](auto slot) { first[slot] = first_word<Of::kPlanes>(beside[slot][g] / kSlots); });
      [[maybe_unused]] std::uint32_t choice = 0x5410;
      if constexpr (kSlots == 2) choice += beside[0][g] % 2 * 0x22 + beside[1][g] % 2 * 0x2200;
      unroll<Of::kHaloWords>([&](auto i) {
        constexpr PlaneProgram::HaloWord kHaloWord = Of::kProgram.halo_words[decltype(i)::value];
        if constexpr (kHaloWord.direction == kDirection) {
          typename Of::Word word[kSlots];
          unroll<kSlots>([&](auto slot) {
            word[slot] =
                beside[slot][g] < groups.groups ? __ldg(from + first[slot] + kHaloWord.plane * 32) : 0;
          });
          if constexpr (kSlots == 2) {
            halo[i].half[0] = byte_permute(word[0], word[1], choice);
          } else {
            halo[i] = halves_of<Of>(word[0]);
          }
        }
      });
    }
  });
}

}  // namespace loom::cuda
