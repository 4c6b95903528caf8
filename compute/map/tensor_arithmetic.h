#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "compute/core/half.h"
#include "compute/core/host_device.h"
#include "compute/geometry/nbb_fractal.h"
#include "compute/geometry/tiled_fractal.h"
#include "compute/map/shuffle_arithmetic.h"

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

/// The representation of the weights of lambda and nu in FP16 matrices.
enum class TensorWeights {
  kDigits,  ///< cut into digits, one row each: exact at every level
  kPlain,   ///< one FP16 number each, as in the papers: wrong from the levels whose weights FP16 has not
};

/// lambda and nu of tile coordinates as matrix products: one warp maps up to eight coordinates
/// with one product per 16 levels (compute/cuda/warp/tensor_arithmetic.cuh).
///
/// A holds the weights, one column per level: rows 0 to 7 those of the result's x, rows 8 to 15 those of its
/// y, as digits, the lowest first. B holds the coordinates' value at each level, in columns: for lambda the
/// offsets tau_x and tau_y of coordinate i in columns 2i and 2i + 1; for nu the replica of coordinate i in
/// column i and, in column 8 + i, 1 if the level is a hole. Row 7 of nu's A is needed by no digit; it is all
/// ones, so that D counts the holes. The rows of D are joined with integer arithmetic.
///
/// With kPlain a result may be wrong. A sum that is not an integer in the range of Int is clamped to that
/// range; NaN (infinite weight times 0) becomes 0. lambda may then be outside of the grid (has_place()); if
/// nu would be outside of the orthotope, the result is a hole.
///
/// This is a view: the caller owns the levels and matrices, in host or device memory.
template <typename Int>
class TensorArithmetic {
 public:
  static constexpr ExecutionScope kExecutionScope = ExecutionScope::kMatrix;
  static constexpr std::uint32_t kMappedAtOnce = 8;
  static constexpr int kRowsOfCoordinate = kFragmentSide / 2;
  static constexpr int kHoleRow = kRowsOfCoordinate - 1;

  /// A view of `levels`, the content of ShuffleArithmetic::build(fractal), and of `matrices`, the content of
  /// build(fractal, weights), or of copies of them. On a device `matrices` must be aligned to 32 bytes.
  TensorArithmetic(const TiledFractal& fractal, TensorWeights weights, const void* levels,
                   const std::uint16_t* matrices);

  /// The A matrices of lambda and then those of nu, products() each, as FP16 bit patterns in row-major order.
  static std::vector<std::uint16_t> build(const TiledFractal& fractal, TensorWeights weights);

  LOOM_HOST_DEVICE int levels() const { return digits_.levels(); }
  LOOM_HOST_DEVICE int products() const { return products_of(levels()); }
  LOOM_HOST_DEVICE const std::uint16_t* lambda_matrices() const { return matrices_; }
  LOOM_HOST_DEVICE const std::uint16_t* nu_matrices() const {
    return matrices_ + in_fragment(products(), 0, 0);
  }
  /// Rows per coordinate that hold digits of a weight; other rows are zero.
  LOOM_HOST_DEVICE int lambda_rows() const { return lambda_rows_; }
  LOOM_HOST_DEVICE int nu_rows() const { return nu_rows_; }

  /// The exclusive upper bounds of nu's result.
  LOOM_HOST_DEVICE Int orthotope_x() const { return orthotope_x_; }
  LOOM_HOST_DEVICE Int orthotope_y() const { return orthotope_y_; }

  /// Elements of B: lambda's tau and nu's replica (-1 for a hole) of level mu, 1 to levels().
  LOOM_HOST_DEVICE Coord32 offset(int mu, Coord<Int> omega) const { return digits_.offset(mu, omega); }
  LOOM_HOST_DEVICE int replica(int mu, Coord<Int> place) const { return digits_.replica(mu, place); }

  /// The coordinate whose digits have the sums sum_of(0), ..., sum_of(rows - 1) in D.
  template <typename SumOf>
  LOOM_HOST_DEVICE Int join(int rows, const SumOf& sum_of) const {
    if (weights_ == TensorWeights::kPlain) return saturated(sum_of(0));
    Int joined = 0;
    for (int row = 0; row < rows; ++row) {
      joined += static_cast<Int>(static_cast<std::uint32_t>(sum_of(row))) << (kDigitBits * row);
    }
    return joined;
  }

  /// The same products in plain loops by one thread, over the rows and columns in use. The CPU uses them,
  /// since it has no tensor cores.
  LOOM_HOST_DEVICE Coord<Int> lambda(Coord<Int> omega) const {
    LevelColumn column_x(products());
    LevelColumn column_y(products());
    for (int mu = 1; mu <= levels(); ++mu) {
      const Coord32 tau = offset(mu, omega);
      column_x.at[mu - 1] = static_cast<float>(tau.x);
      column_y.at[mu - 1] = static_cast<float>(tau.y);
    }
    return {multiply(lambda_matrices(), 0, lambda_rows_, column_x),
            multiply(lambda_matrices(), kRowsOfCoordinate, lambda_rows_, column_y)};
  }
  LOOM_HOST_DEVICE CompactCoord<Int> nu(Coord<Int> place) const {
    LevelColumn column(products());
    LevelColumn holes(products());
    for (int mu = 1; mu <= levels(); ++mu) {
      const int b = replica(mu, place);
      column.at[mu - 1] = static_cast<float>(b < 0 ? 0 : b);
      holes.at[mu - 1] = b < 0 ? 1.0f : 0.0f;
    }
    if (multiply_row(nu_matrices(), products(), kHoleRow, holes) > 0) return {};
    const Coord<Int> omega{multiply(nu_matrices(), 0, nu_rows_, column),
                           multiply(nu_matrices(), kRowsOfCoordinate, nu_rows_, column)};
    return {omega, omega.x < orthotope_x_ && omega.y < orthotope_y_};
  }

 private:
  LOOM_HOST_DEVICE Int multiply(const std::uint16_t* matrices, int first_row, int rows,
                                const LevelColumn& column) const {
    return join(rows, [&](int row) { return multiply_row(matrices, products(), first_row + row, column); });
  }
  LOOM_HOST_DEVICE static Int saturated(float sum) {
    if (!(sum >= 1)) return 0;
    constexpr float kEnd = sizeof(Int) == 4 ? 0x1p32f : 0x1p64f;
    return sum >= kEnd ? std::numeric_limits<Int>::max() : static_cast<Int>(sum);
  }

  ShuffleArithmetic<Int, true> digits_;
  const std::uint16_t* matrices_;
  Int orthotope_x_;
  Int orthotope_y_;
  TensorWeights weights_;
  int lambda_rows_;
  int nu_rows_;
};

extern template class TensorArithmetic<std::uint32_t>;
extern template class TensorArithmetic<std::uint64_t>;

/// The directions of the map of tiles: compact -> expanded (lambda) and expanded -> compact (nu).
enum class MapDirection { kLambda, kNu };

/// The first tile level r_b at which the papers' plain FP16 weights (TensorWeights::kPlain) give a wrong
/// coordinate for some tile; nothing if all levels up to max_level() are right, or if the fractal is not
/// uniform and has no such weights. Plain weights are exact while the weight of every level that moves some
/// tile is an FP16 number, that is an integer of at most 11 significant bits and at most 65504. nu of the
/// Sierpinski gasket fails at 15 (3^7), its lambda at 17 (2^16), lambda of every fractal of scale 3 at 8
/// (3^7).
std::optional<int> first_wrong_level(const NbbFractal& fractal, MapDirection direction);

}  // namespace loom
