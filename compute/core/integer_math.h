#pragma once

#include <cstdint>
#include <limits>
#include <optional>

#include "compute/core/host_device.h"

namespace loom {

/// base^exponent, or nothing if it does not fit in 64 bits.
constexpr std::optional<std::uint64_t> checked_power(std::uint64_t base, int exponent) {
  std::uint64_t result = 1;
  for (int i = 0; i < exponent; ++i) {
    if (base != 0 && result > std::numeric_limits<std::uint64_t>::max() / base) return std::nullopt;
    result *= base;
  }
  return result;
}

/// a * b, or 2^64 - 1 if the product does not fit in 64 bits.
constexpr std::uint64_t saturating_multiply(std::uint64_t a, std::uint64_t b) {
  return b != 0 && a > std::numeric_limits<std::uint64_t>::max() / b
             ? std::numeric_limits<std::uint64_t>::max()
             : a * b;
}

template <typename Int>
LOOM_HOST_DEVICE constexpr Int ceil_divide(Int a, Int b) {
  return (a + b - 1) / b;
}

/// The splitmix64 hash of one value, modulo 2^64. Source: G. L. Steele, D. Lea, C. H. Flood, "Fast splittable
/// pseudorandom number generators", 2014.
LOOM_HOST_DEVICE constexpr std::uint64_t splitmix64(std::uint64_t z) {
  z += 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

}  // namespace loom
