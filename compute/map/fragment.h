#pragma once

#include <cstddef>
#include <cstdint>

#include "compute/core/half.h"
#include "compute/core/host_device.h"

namespace loom {

// Matrix products D = A B + C on 16 x 16 fragments with FP16 inputs and FP32 sums, the operation of a GPU's
// tensor cores, as the tensor arithmetics use it. A column of A and a row of B belong to one level, so that
// 16 levels need one product, and up to 64 levels need four, which accumulate in the same D.
//
// Exactness. FP16 represents every integer up to 2^11, so a weight is cut into digits of 11 bits, each in a
// row (or a matrix) of its own. The product of two FP16 integers is exact in FP32, and so is any sum of
// non-negative integers below 2^24, independent of the order of summation and of the alignment to the largest
// summand, because a unit in the last place is worth at most 1. Over at most 64 levels (k >= 2 and k^r <
// 2^64, so r <= 63) the sums are
//
// - lambda: digits < 2^11 times offsets <= 7: below 64 * 2^11 * 7 < 2^20;
// - nu: digits < 2^11 times replicas <= 63, of at most 32 levels per row: below 32 * 2^11 * 63 < 2^22;
// - the cells of tensor-3: as for lambda, plus a thread's position <= 1023: below 2^20.
//
// The sums of the digits are then joined with integer arithmetic. Source: [lambda-2020] section 6.3 and
// [compact] section 3.1 for the products; the digits are this project's. On the alignment in the hardware: M.
// Fasi, N. J. Higham, M. Mikaitis, S. Pranesh, "Numerical behavior of NVIDIA tensor cores", 2021.

inline constexpr int kFragmentSide = 16;
inline constexpr int kFragmentArea = kFragmentSide * kFragmentSide;
inline constexpr int kDigitBits = 11;

/// The number of products for `levels` levels: one per 16 levels.
LOOM_HOST_DEVICE constexpr int products_of(int levels) {
  return (levels + kFragmentSide - 1) / kFragmentSide;
}

/// The index of the element at `row` and `column` of matrix `number`; matrices follow each other, each in
/// row-major order.
LOOM_HOST_DEVICE constexpr std::size_t in_fragment(int number, int row, int column) {
  return static_cast<std::size_t>((number * kFragmentSide + row) * kFragmentSide + column);
}

inline constexpr int kMaxProducts = 4;

/// A column of B for one coordinate, level by level from the finest; elements past the last level are 0.
struct LevelColumn {
  LOOM_HOST_DEVICE explicit LevelColumn(int products) {
    for (int i = 0; i < products * kFragmentSide; ++i) at[i] = 0;
  }
  float at[kMaxProducts * kFragmentSide];
};

/// One element of D, from row `row` of `products` consecutive A matrices and a column of B, in a plain loop.
/// It replaces tensor cores on the CPU. Partial sums by column allow vectorization.
LOOM_HOST_DEVICE float multiply_row(const std::uint16_t* matrices, int products, int row,
                                    const LevelColumn& column) {
  float sums[kFragmentSide] = {};
  for (int product = 0; product < products; ++product) {
    const std::uint16_t* const weights = matrices + in_fragment(product, row, 0);
    const float* const elements = column.at + product * kFragmentSide;
    for (int i = 0; i < kFragmentSide; ++i) sums[i] += half_value(weights[i]) * elements[i];
  }
  for (int width = kFragmentSide / 2; width > 0; width /= 2) {
    for (int i = 0; i < width; ++i) sums[i] += sums[i + width];
  }
  return sums[0];
}

/// The number of 11-bit digits of a weight; at least 1.
constexpr int digit_count(std::uint64_t weight) {
  int digits = 1;
  while (weight >>= kDigitBits) ++digits;
  return digits;
}

/// Digit `i` of a weight; digit 0 is the lowest.
constexpr std::uint64_t weight_digit(std::uint64_t weight, int i) {
  return (weight >> (kDigitBits * i)) & ((std::uint64_t{1} << kDigitBits) - 1);
}

}  // namespace loom
