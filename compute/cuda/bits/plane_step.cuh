#pragma once

#include <cstdint>

#include "compute/core/host_device.h"
#include "compute/cuda/bits/plane_groups.h"
#include "compute/geometry/group_neighbours.h"
#include "compute/geometry/plane_program.h"
#include "compute/workload/life_words.h"

namespace loom::cuda {

/// The next generation of a word. A 64-bit word is processed in two halves, since the rule's masks have 32
/// bits.
__device__ __forceinline__ std::uint32_t next_of(const RuleMasks& rule, std::uint32_t cells,
                                                 const std::uint32_t (&in)[8]) {
  return next_word(rule, cells, count_words(in));
}
__device__ __forceinline__ std::uint64_t next_of(const RuleMasks& rule, std::uint64_t cells,
                                                 const std::uint64_t (&in)[8]) {
  std::uint32_t low[8];
  std::uint32_t high[8];
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    low[i] = static_cast<std::uint32_t>(in[i]);
    high[i] = static_cast<std::uint32_t>(in[i] >> 32);
  }
  const std::uint32_t next_low = next_of(rule, static_cast<std::uint32_t>(cells), low);
  const std::uint32_t next_high = next_of(rule, static_cast<std::uint32_t>(cells >> 32), high);
  return next_low | static_cast<std::uint64_t>(next_high) << 32;
}

template <typename Word>
__device__ __forceinline__ int living_in(Word word) {
  if constexpr (sizeof(Word) == 8) {
    return __popcll(word);
  } else {
    return __popc(word);
  }
}

/// The word of plane q in direction `d` for thread `t`: each slot comes from the neighbour of its own group.
template <int kGroupsInWord, typename Word>
__device__ __forceinline__ Word halo_word(const Word* __restrict__ from, std::uint32_t planes,
                                          std::uint32_t q, const std::uint32_t (&beside)[kGroupsInWord]) {
  const auto load = [&](std::uint32_t t) {
    return __ldg(from + std::uint64_t{t / 32} * (planes * 32) + q * 32 + t % 32);
  };
  if constexpr (kGroupsInWord == 1) {
    return beside[0] == GroupNeighbours::kNone ? Word{0} : load(beside[0]);
  } else {
    Word word = 0;
#pragma unroll
    for (int slot = 0; slot < kGroupsInWord; ++slot) {
      if (beside[slot] == GroupNeighbours::kNone) continue;
      const Word found = load(beside[slot] / kGroupsInWord) >> (beside[slot] % kGroupsInWord * 16);
      word |= (found & 0xffffu) << (slot * 16);
    }
    return word;
  }
}

/// The bits of thread `t`'s words that groups use: with two slots, the last word may have only one group.
template <int kGroupsInWord, typename Word>
__device__ __forceinline__ Word used_bits(Word mask, std::uint32_t t, std::uint32_t groups) {
  if constexpr (kGroupsInWord == 1) {
    return mask;
  } else {
    return t * kGroupsInWord + 1 < groups ? mask : mask & 0xffffu;
  }
}

/// Adds the living cells of a word to the counts of each of its groups.
template <int kGroupsInWord, typename Word>
__device__ __forceinline__ void add_living(Word word, std::uint32_t (&living)[kGroupsInWord]) {
  if constexpr (kGroupsInWord == 1) {
    living[0] += living_in(word);
  } else {
    living[0] += living_in(word & 0xffffu);
    living[1] += living_in(word >> 16);
  }
}

template <int kGroupsInWord, typename Word>
__device__ __forceinline__ void store_counts(std::uint16_t* counts, std::uint32_t t, std::uint32_t groups,
                                             const std::uint32_t (&living)[kGroupsInWord]) {
#pragma unroll
  for (int slot = 0; slot < kGroupsInWord; ++slot) {
    if (t * kGroupsInWord + slot < groups)
      counts[t * kGroupsInWord + slot] = static_cast<std::uint16_t>(living[slot]);
  }
}

}  // namespace loom::cuda
