#pragma once

#include <cstdint>

#include "compute/core/host_device.h"
#include "compute/core/integer_math.h"

namespace loom {

/// The smallest integer t such that u * 2^-53 < density iff u < t, for integers u in [0, 2^53]. It lets every
/// backend compare integers. `density` is in [0, 1].
std::uint64_t density_threshold(double density);

/// Whether cell `index` (canonical) is alive in the random start: splitmix64(seed + splitmix64(index)) >> 11,
/// as a fraction of 2^53, is below the density.
LOOM_HOST_DEVICE std::uint8_t random_cell(std::uint64_t seed, std::uint64_t index, std::uint64_t threshold) {
  return (splitmix64(seed + splitmix64(index)) >> 11) < threshold ? 1 : 0;
}

/// The term of cell `index` in the state hash, which is the sum over all cells of the state times the term,
/// modulo 2^64.
LOOM_HOST_DEVICE std::uint64_t hash_term(std::uint64_t index) {
  return splitmix64(index);
}

}  // namespace loom
