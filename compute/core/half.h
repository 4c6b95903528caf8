#pragma once

#include <bit>
#include <cstdint>

#include "compute/core/host_device.h"

namespace loom {

// IEEE 754 binary16 numbers ("FP16", CUDA's __half) as bit patterns: one sign bit, 5 exponent bits and 10
// stored significand bits. Every integer up to 2048 is representable; above it only multiples of 2, then of
// 4, and so on. The largest finite number is 65504.

/// Rounds `number` to the nearest FP16 number, ties to even. The result is infinity from 65520 on.
constexpr std::uint16_t to_half(std::uint64_t number) {
  if (number == 0) return 0;
  constexpr int kSignificandBits = 11;
  constexpr int kBias = 15;
  constexpr std::uint16_t kInfinity = 0x7c00;
  int width = static_cast<int>(std::bit_width(number));
  std::uint64_t significand = number;
  if (width <= kSignificandBits) {
    significand <<= kSignificandBits - width;
  } else {
    const int dropped = width - kSignificandBits;
    const std::uint64_t rest = number & ((std::uint64_t{1} << dropped) - 1);
    const std::uint64_t tie = std::uint64_t{1} << (dropped - 1);
    significand >>= dropped;
    if (rest > tie || (rest == tie && (significand & 1) != 0)) ++significand;
    if (significand >> kSignificandBits != 0) {
      significand >>= 1;
      ++width;
    }
  }
  const int exponent = width - 1 + kBias;
  if (exponent > 30) return kInfinity;
  return static_cast<std::uint16_t>(static_cast<std::uint64_t>(exponent) << 10 | (significand & 0x3ff));
}

/// The value of an FP16 bit pattern. Exact; infinities and NaNs are preserved. The function has no branches,
/// so that loops over matrices vectorize.
LOOM_HOST_DEVICE constexpr float half_value(std::uint16_t half) {
  const std::uint32_t sign = (half & 0x8000u) << 16;
  // The fields of FP32, except for the exponent's bias.
  const std::uint32_t magnitude = (half & 0x7fffu) << 13;
  const float value = std::bit_cast<float>(sign | magnitude) * 0x1p112f;
  const std::uint32_t infinite = magnitude >= 0x0f800000u ? 0x7f800000u : 0u;  // infinity or NaN
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(value) | infinite);
}

/// Whether an integer is exactly representable in FP16.
constexpr bool is_half(std::uint64_t number) {
  return number <= 65504 && half_value(to_half(number)) == static_cast<float>(number);
}

}  // namespace loom
