#pragma once

#include <bit>
#include <cstdint>

#include "compute/core/host_device.h"
#include "compute/geometry/bit_planes.h"

namespace loom {

// Access to single cells of one bit-packed generation by position. Bits are addressed through 32-bit half
// words, so that 32-bit and 64-bit words need the same code; on the little-endian machines that CUDA
// supports, the low half comes first.
static_assert(std::endian::native == std::endian::little);

/// Sets one bit. Other threads may set other bits of the same word at the same time.
LOOM_HOST_DEVICE void store_bit(std::uint32_t* word, std::uint32_t bit, std::uint32_t alive) {
#if defined(__CUDA_ARCH__)
  if (alive) {
    atomicOr(word, 1u << bit);
  } else {
    atomicAnd(word, ~(1u << bit));
  }
#else
  // Most bits already have the wanted value, and an atomic store costs several times as much as a load.
  const std::uint32_t wanted = alive ? 1u : 0u;
  if ((__atomic_load_n(word, __ATOMIC_RELAXED) >> bit & 1u) == wanted) return;
  if (alive) {
    __atomic_fetch_or(word, 1u << bit, __ATOMIC_RELAXED);
  } else {
    __atomic_fetch_and(word, ~(1u << bit), __ATOMIC_RELAXED);
  }
#endif
}

/// Bit rows (bit_rows.h).
struct RowCells {
  std::uint32_t* halves = nullptr;
  LOOM_HOST_DEVICE std::uint8_t load(std::uint64_t at) const {
    return static_cast<std::uint8_t>(halves[at / 32] >> (at % 32) & 1u);
  }
  LOOM_HOST_DEVICE void store(std::uint64_t at, std::uint8_t alive) const {
    store_bit(halves + at / 32, static_cast<std::uint32_t>(at % 32), alive);
  }
  /// The number of living cells at the `size` <= 2^16 positions from `at` on.
  std::uint32_t count(std::uint64_t at, std::uint32_t size) const {
    std::uint32_t living = 0;
    while (size > 0) {
      const auto bit = static_cast<std::uint32_t>(at % 32);
      const std::uint32_t here = size < 32 - bit ? size : 32 - bit;
      const std::uint32_t mask = here == 32 ? ~0u : (1u << here) - 1;
      living += static_cast<std::uint32_t>(std::popcount(halves[at / 32] >> bit & mask));
      at += here;
      size -= here;
    }
    return living;
  }
};

/// Bit planes (bit_planes.h), or one partition of them: cells of other partitions read as dead and ignore
/// writes.
struct PlaneCells {
  std::uint32_t* halves = nullptr;
  BitPlanes planes;
  LOOM_HOST_DEVICE std::uint8_t load(std::uint64_t place) const {
    const PlaneBit at = plane_bit(planes, place);
    return at.here ? static_cast<std::uint8_t>(halves[half_word_index(at)] >> (at.bit % 32) & 1u)
                   : std::uint8_t{0};
  }
  LOOM_HOST_DEVICE void store(std::uint64_t place, std::uint8_t alive) const {
    const PlaneBit at = plane_bit(planes, place);
    if (at.here) store_bit(halves + half_word_index(at), at.bit % 32, alive);
  }

 private:
  LOOM_HOST_DEVICE std::uint64_t half_word_index(const PlaneBit& at) const {
    return planes.wide() ? 2 * at.word + at.bit / 32 : at.word;
  }
};

}  // namespace loom
