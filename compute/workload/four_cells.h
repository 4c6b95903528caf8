#pragma once

#include <cstdint>

#include "compute/core/host_device.h"
#include "compute/workload/game_of_life.h"

namespace loom {

// Operations on words of four cells, one byte per cell with value 0 or 1, that process all four cells at a
// time.

/// Selects four bytes of `low` (0..3) and `high` (4..7): nibble i of `selector` is the number of byte i of
/// the result. A nibble with 8 added replicates the sign bit of the selected byte. One instruction on a GPU
/// (PTX prmt).
LOOM_HOST_DEVICE std::uint32_t permute_bytes(std::uint32_t low, std::uint32_t high, std::uint32_t selector) {
#if defined(__CUDA_ARCH__)
  std::uint32_t result;
  asm("prmt.b32 %0, %1, %2, %3;" : "=r"(result) : "r"(low), "r"(high), "r"(selector));
  return result;
#else
  const std::uint64_t both = low | std::uint64_t{high} << 32;
  std::uint32_t result = 0;
  for (int i = 0; i < 4; ++i) {
    const std::uint32_t which = selector >> (4 * i) & 15u;
    auto byte = static_cast<std::uint32_t>(both >> (8 * (which & 7u))) & 0xffu;
    if ((which & 8u) != 0) byte = (byte & 0x80u) != 0 ? 0xffu : 0u;
    result |= byte << (8 * i);
  }
  return result;
#endif
}

struct FourWords {
  std::uint32_t words[4];
};

/// The first bytes of the four words.
LOOM_HOST_DEVICE std::uint32_t first_bytes(const std::uint32_t (&words)[4]) {
  return permute_bytes(permute_bytes(words[0], words[1], 0x0040), permute_bytes(words[2], words[3], 0x0040),
                       0x5410);
}

/// Byte i of word j of the result is byte j of rows[i].
LOOM_HOST_DEVICE FourWords transpose(const std::uint32_t (&rows)[4]) {
  const std::uint32_t low_01 = permute_bytes(rows[0], rows[1], 0x5140);
  const std::uint32_t low_23 = permute_bytes(rows[2], rows[3], 0x5140);
  const std::uint32_t high_01 = permute_bytes(rows[0], rows[1], 0x7362);
  const std::uint32_t high_23 = permute_bytes(rows[2], rows[3], 0x7362);
  return {{permute_bytes(low_01, low_23, 0x5410), permute_bytes(low_01, low_23, 0x7632),
           permute_bytes(high_01, high_23, 0x5410), permute_bytes(high_01, high_23, 0x7632)}};
}

/// A rule of life as kernels use it: as a LifeRule, and as byte tables indexed by the number of living
/// neighbours, which look up four next states at a time.
struct LifeRuleTable {
  LifeRule rule;
  /// Byte n, 0..7, is the next state of a dead (living) cell with n living neighbours. The state for 8
  /// neighbours is the highest bit of byte 0.
  std::uint32_t birth[2] = {};
  std::uint32_t survival[2] = {};

  LifeRuleTable() = default;
  explicit LifeRuleTable(LifeRule of) : rule(of) {
    for (std::uint32_t n = 0; n < 8; ++n) {
      birth[n / 4] |= (of.birth >> n & 1u) << (8 * (n % 4));
      survival[n / 4] |= (of.survival >> n & 1u) << (8 * (n % 4));
    }
    birth[0] |= (of.birth >> 8 & 1u) << 7;
    survival[0] |= (of.survival >> 8 & 1u) << 7;
  }
  /// For kernels that process one cell at a time and take a LifeRule.
  operator LifeRule() const { return rule; }
};

/// The next states of four cells, from their states and their numbers of living neighbours, 0..8.
LOOM_HOST_DEVICE std::uint32_t next_states(const LifeRuleTable& table, std::uint32_t own,
                                           std::uint32_t living) {
  // Four nibbles; the value 8 selects the highest bit of byte 0.
  const std::uint32_t selector = permute_bytes(living | living >> 4, 0, 0x4420);
  const std::uint32_t born = permute_bytes(table.birth[0], table.birth[1], selector);
  const std::uint32_t survives = permute_bytes(table.survival[0], table.survival[1], selector);
  return ((born & ~own) | (survives & own)) & 0x01010101u;
}

}  // namespace loom
