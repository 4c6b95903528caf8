#include "compute/cpu/bits/plane_step.h"

#include <algorithm>
#include <bit>

#include "compute/cpu/mandelbrot/vector_width.h"
#include "compute/workload/life_words.h"

namespace loom::cpu {
namespace {

constexpr std::uint32_t kInterleave = BitPlanes::kInterleave;

/// As wide as the widest vectors; machines with narrower ones use two or four of theirs.
template <typename Word>
struct Vector;
template <>
struct Vector<std::uint32_t> {
  using Type [[gnu::vector_size(64)]] = std::uint32_t;
};
template <>
struct Vector<std::uint64_t> {
  using Type [[gnu::vector_size(64)]] = std::uint64_t;
};

/// The parameters that all rows of one generation share.
struct Generation {
  const BitPlanes& planes;
  const PlaneProgram& program;
  GroupNeighbours neighbours;
  const std::uint8_t* now;
  std::uint8_t* next;
  std::uint16_t* counts;
  RuleMasks rule;
};

/// The words of one plane that are contiguous.
template <typename Word>
struct Row {
  alignas(64) Word words[kInterleave];
};

template <typename Word>
[[gnu::always_inline]] inline void or_shifted(const PlaneProgram& program, ShiftRange range, const Word* from,
                                              Word* to) {
  using Wide = typename Vector<Word>::Type;
  constexpr std::size_t kVectors = sizeof(Row<Word>) / sizeof(Wide);
  const auto* const in = reinterpret_cast<const Wide*>(from);
  auto* const out = reinterpret_cast<Wide*>(to);
  for (int s = range.first; s < range.last; ++s) {
    const Word mask = static_cast<Word>(program.shifts[s].mask);
    const int shift = program.shifts[s].shift;
    if (shift >= 0) {
      for (std::size_t v = 0; v < kVectors; ++v) out[v] |= (in[v] >> static_cast<Word>(shift)) & mask;
    } else {
      for (std::size_t v = 0; v < kVectors; ++v) out[v] |= (in[v] << static_cast<Word>(-shift)) & mask;
    }
  }
}

/// The word of plane `plane` in direction `g` for thread `t`: each slot comes from the neighbour of its own
/// group.
template <typename Word, int kSlots>
[[gnu::always_inline]] inline Word halo_word(const Generation& all, const Word* now, std::uint32_t plane,
                                             const std::uint32_t* beside) {
  Word word = 0;
  for (int slot = 0; slot < kSlots; ++slot) {
    if (beside[slot] == GroupNeighbours::kNone) continue;
    const Word found = now[all.planes.first_word(beside[slot] / kSlots) + std::uint64_t{plane} * kInterleave];
    if constexpr (kSlots == 1) {
      word = found;
    } else {
      word |= ((found >> (beside[slot] % kSlots * 16)) & 0xffffu) << (slot * 16);
    }
  }
  return word;
}

/// The neighbours of the groups of 32 threads, direction by direction.
template <int kSlots>
using Beside = std::uint32_t[kDirections][kInterleave * kSlots];

/// Steps 32 threads, whose words are contiguous from `own` on, into `next`. If `counts` is not null, it
/// receives the number of living cells of each group. Bit i of `used` means that there is a group i.
template <typename Word, int kSlots>
[[gnu::always_inline]] inline void step_words(const Generation& all, const Word* own, Word* next,
                                              std::uint16_t* counts, const Beside<kSlots>& beside,
                                              std::uint64_t used) {
  using Wide = typename Vector<Word>::Type;
  constexpr std::size_t kVectors = sizeof(Row<Word>) / sizeof(Wide);
  constexpr std::uint32_t kGroups = kInterleave * kSlots;
  const PlaneProgram& program = all.program;
  const auto* const now = reinterpret_cast<const Word*>(all.now);
  // On the stack; only the part that the program uses is accessed.
  Row<Word> halo[PlaneProgram::kMaxHaloWords];
  for (int i = 0; i < program.halo_word_count; ++i) {
    const PlaneProgram::HaloWord of = program.halo_words[i];
    for (std::uint32_t t = 0; t < kInterleave; ++t)
      halo[i].words[t] = halo_word<Word, kSlots>(all, now, of.plane, &beside[of.direction][t * kSlots]);
  }
  Row<Word> related[PlaneProgram::kMaxRelations];
  for (int i = 0; i < program.relation_count; ++i) {
    const PlaneProgram::Relation& relation = program.relations[i];
    Word* const words = related[i].words;
    std::fill_n(words, kInterleave, Word{0});
    or_shifted(program, program.inner[relation.direction], own + relation.plane * kInterleave, words);
    for (int g = 0; g < kDirections; ++g) {
      if (relation.halo_word[g] == PlaneProgram::kNoSource) continue;
      or_shifted(program, program.halo[relation.direction][g], halo[relation.halo_word[g]].words, words);
    }
  }

  const Row<Word> nothing{};
  for (std::uint32_t p = 0; p < all.planes.planes; ++p) {
    const Word* sources[kDirections];
    for (int i = 0; i < kDirections; ++i) {
      const std::uint32_t source = program.sources[p][i];
      sources[i] = i >= program.source_count[p] ? nothing.words
                   : source < all.planes.planes ? own + source * kInterleave
                                                : related[source - all.planes.planes].words;
    }
    for (std::size_t v = 0; v < kVectors; ++v) {
      Wide in[kDirections];
      for (int i = 0; i < kDirections; ++i) in[i] = reinterpret_cast<const Wide*>(sources[i])[v];
      const Wide cells = reinterpret_cast<const Wide*>(own + p * kInterleave)[v];
      reinterpret_cast<Wide*>(next + p * kInterleave)[v] =
          next_word(all.rule, cells, count_words(in)) & static_cast<Word>(program.word_mask);
    }
  }
  // Slots without a group stay empty.
  constexpr std::uint64_t kAll = ~std::uint64_t{0} >> (64 - kGroups);
  for (std::uint64_t free = ~used & kAll; free != 0; free &= free - 1) {
    const auto i = static_cast<std::uint32_t>(std::countr_zero(free));
    const Word keep = kSlots == 1 ? Word{0} : static_cast<Word>(0xffffu << (16 - i % kSlots * 16));
    for (std::uint32_t p = 0; p < all.planes.planes; ++p) next[p * kInterleave + i / kSlots] &= keep;
  }
  if (counts) {
    std::uint16_t living[kGroups] = {};
    for (std::uint32_t p = 0; p < all.planes.planes; ++p) {
      for (std::uint32_t i = 0; i < kGroups; ++i) {
        const Word word = next[p * kInterleave + i / kSlots];
        if constexpr (kSlots == 1) {
          living[i] += static_cast<std::uint16_t>(std::popcount(word));
        } else {
          living[i] += static_cast<std::uint16_t>(std::popcount((word >> (i % kSlots * 16)) & 0xffffu));
        }
      }
    }
    for (std::uint64_t left = used & kAll; left != 0; left &= left - 1) {
      const auto i = static_cast<std::uint32_t>(std::countr_zero(left));
      counts[i] = living[i];
    }
  }
}

/// Steps the threads [32 row, 32 row + 32).
template <typename Word, int kSlots>
[[gnu::always_inline]] inline void step_row(const Generation& all, std::uint64_t row) {
  constexpr std::uint32_t kGroups = kInterleave * kSlots;
  const std::uint64_t first = row * kInterleave * all.planes.planes;
  const auto first_group = static_cast<std::uint32_t>(row * kGroups);
  const std::uint32_t groups = std::min<std::uint32_t>(kGroups, all.planes.groups - first_group);
  Beside<kSlots> beside;
  for (int g = 0; g < kDirections; ++g) {
    if (!(all.program.halo_directions >> g & 1u)) continue;
    for (std::uint32_t i = 0; i < groups; ++i) {
      beside[g][i] = all.neighbours.beside(first_group + i, g);
      // Belongs to another partition.
      if (beside[g][i] >= all.planes.groups) beside[g][i] = GroupNeighbours::kNone;
    }
    for (std::uint32_t i = groups; i < kGroups; ++i) beside[g][i] = GroupNeighbours::kNone;
  }
  step_words<Word, kSlots>(
      all, reinterpret_cast<const Word*>(all.now) + first, reinterpret_cast<Word*>(all.next) + first,
      all.counts ? all.counts + first_group : nullptr, beside, ~std::uint64_t{0} >> (64 - groups));
}

/// The threads of a partition's boundary list.
struct ListedThreads {
  const PlaneBoundary& halo;
  bool listed = false;      ///< words are in the order of the list, not in the partition's order
  std::size_t threads = 0;  ///< leading threads of the list
};

/// Steps the listed threads from 32 row on; their next words and counts are contiguous in all.next and
/// all.counts.
template <typename Word, int kSlots>
[[gnu::always_inline]] inline void step_boundary_row(const Generation& all, const ListedThreads& list,
                                                     std::uint64_t row) {
  const PlaneBoundary& halo = list.halo;
  const std::vector<std::uint32_t>& all_beside = list.listed ? halo.listed_neighbours : halo.beside;
  const std::size_t first = row * kInterleave;
  const std::size_t threads = std::min<std::size_t>(kInterleave, list.threads - first);
  const auto* const now = reinterpret_cast<const Word*>(all.now);
  Row<Word> own[kMaxPlanes];
  Beside<kSlots> beside;
  std::fill_n(&beside[0][0], sizeof(beside) / sizeof(beside[0][0]), GroupNeighbours::kNone);
  std::uint64_t used = 0;
  for (std::size_t t = 0; t < threads; ++t) {
    const std::size_t at = first + t;
    const auto thread = list.listed ? static_cast<std::uint32_t>(at) : halo.listed[at];
    for (std::uint32_t p = 0; p < all.planes.planes; ++p)
      own[p].words[t] = now[all.planes.first_word(thread) + std::uint64_t{p} * kInterleave];
    for (int slot = 0; slot < kSlots; ++slot) {
      const std::size_t i = t * kSlots + static_cast<std::size_t>(slot);
      if (slot < halo.groups_listed[at]) used |= std::uint64_t{1} << i;
      for (int g = 0; g < kDirections; ++g) {
        beside[g][i] = all_beside[static_cast<std::size_t>(g * kSlots + slot) * halo.listed.size() + at];
      }
    }
  }
  for (std::size_t t = threads; t < kInterleave; ++t) {
    for (std::uint32_t p = 0; p < all.planes.planes; ++p) own[p].words[t] = 0;
  }
  step_words<Word, kSlots>(all, own[0].words, reinterpret_cast<Word*>(all.next) + first * all.planes.planes,
                           all.counts + first * kSlots, beside, used);
}

// Plain functions, because only those can be compiled for each vector width.
LOOM_EACH_VECTOR_WIDTH void step_rows_32(const Generation& all, std::uint64_t first, std::uint64_t last) {
  for (std::uint64_t row = first; row < last; ++row) step_row<std::uint32_t, 1>(all, row);
}
LOOM_EACH_VECTOR_WIDTH void step_rows_16(const Generation& all, std::uint64_t first, std::uint64_t last) {
  for (std::uint64_t row = first; row < last; ++row) step_row<std::uint32_t, 2>(all, row);
}
LOOM_EACH_VECTOR_WIDTH void step_rows_64(const Generation& all, std::uint64_t first, std::uint64_t last) {
  for (std::uint64_t row = first; row < last; ++row) step_row<std::uint64_t, 1>(all, row);
}

LOOM_EACH_VECTOR_WIDTH void step_rim_32(const Generation& all, const ListedThreads& list, std::uint64_t row) {
  step_boundary_row<std::uint32_t, 1>(all, list, row);
}
LOOM_EACH_VECTOR_WIDTH void step_rim_16(const Generation& all, const ListedThreads& list, std::uint64_t row) {
  step_boundary_row<std::uint32_t, 2>(all, list, row);
}
LOOM_EACH_VECTOR_WIDTH void step_rim_64(const Generation& all, const ListedThreads& list, std::uint64_t row) {
  step_boundary_row<std::uint64_t, 1>(all, list, row);
}

/// Rows that a thread processes between two tests for cancellation: about a tenth of a millisecond.
constexpr std::uint64_t kRun = 32;

}  // namespace

PlaneStep::PlaneStep(const BitPlanes& planes)
    : planes_(planes),
      program_(make_plane_program(planes.shape, planes.split, planes.group_directions)),
      table_(planes) {}

std::uint64_t PlaneStep::units() const {
  return (planes_.threads() + kInterleave - 1) / kInterleave;
}

void PlaneStep::step(const std::uint8_t* now, std::uint8_t* next, std::uint16_t* counts, LifeRule rule,
                     const ProgressScope& call) const {
  const Generation all{planes_, program_, table_.neighbours(), now, next, counts, RuleMasks(rule)};
  const std::uint64_t rows = units();
  const auto runs = static_cast<std::int64_t>((rows + kRun - 1) / kRun);
#pragma omp parallel for schedule(static) if (runs > 1)
  for (std::int64_t r = 0; r < runs; ++r) {
    if (call.cancelled()) continue;
    const std::uint64_t first = static_cast<std::uint64_t>(r) * kRun;
    const std::uint64_t last = std::min(first + kRun, rows);
    if (planes_.wide()) {
      step_rows_64(all, first, last);
    } else if (planes_.groups_in_word == 2) {
      step_rows_16(all, first, last);
    } else {
      step_rows_32(all, first, last);
    }
    call.advance(last - first);
  }
}

void PlaneStep::step_boundary(const std::uint8_t* now, bool listed, const PlaneBoundary& halo,
                              std::size_t threads, std::uint8_t* words, std::uint16_t* counts,
                              LifeRule rule) const {
  const Generation all{planes_, program_, table_.neighbours(), now, words, counts, RuleMasks(rule)};
  const ListedThreads list{halo, listed, threads};
  const auto rows = static_cast<std::int64_t>((threads + kInterleave - 1) / kInterleave);
#pragma omp parallel for schedule(static) if (rows > 4)
  for (std::int64_t row = 0; row < rows; ++row) {
    const auto at = static_cast<std::uint64_t>(row);
    if (planes_.wide()) {
      step_rim_64(all, list, at);
    } else if (planes_.groups_in_word == 2) {
      step_rim_16(all, list, at);
    } else {
      step_rim_32(all, list, at);
    }
  }
}

}  // namespace loom::cpu
