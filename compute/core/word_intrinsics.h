#pragma once

#include <cstdint>

#include "compute/core/host_device.h"

namespace loom {

// Operations on words that are one or a few instructions on a GPU.

/// Selects four of the eight bytes of `low` (0 to 3) and `high` (4 to 7): byte i of the result is the byte
/// whose number is hexadecimal digit i of `choice`.
LOOM_HOST_DEVICE std::uint32_t byte_permute(std::uint32_t low, std::uint32_t high, std::uint32_t choice) {
#if defined(__CUDA_ARCH__)
  return __byte_perm(low, high, choice);
#else
  const std::uint64_t all = low | std::uint64_t{high} << 32;
  std::uint32_t bytes = 0;
  for (int i = 0; i < 4; ++i)
    bytes |= static_cast<std::uint32_t>(all >> (choice >> (4 * i) & 7u) * 8 & 0xffu) << (8 * i);
  return bytes;
#endif
}

/// The low 32 bits of (`low` + 2^32 * `high`) >> `shift`, 0 <= `shift` < 32.
LOOM_HOST_DEVICE std::uint32_t funnel_shift(std::uint32_t low, std::uint32_t high, std::uint32_t shift) {
#if defined(__CUDA_ARCH__)
  return __funnelshift_r(low, high, shift);
#else
  return static_cast<std::uint32_t>((low | std::uint64_t{high} << 32) >> shift);
#endif
}

/// 1 in the bytes of a word that are 1, 0 in all others.
template <typename Word>
LOOM_HOST_DEVICE Word ones_of(Word bytes) {
  constexpr auto kOnes = static_cast<Word>(0x0101010101010101u);
  constexpr auto kLow = static_cast<Word>(kOnes * 0x7f);
  const auto other = static_cast<Word>(bytes ^ kOnes);
  return static_cast<Word>(~(((other & kLow) + kLow) | other) >> 7 & kOnes);
}

}  // namespace loom
