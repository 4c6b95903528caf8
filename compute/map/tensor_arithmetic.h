#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "compute/geometry/tiled_fractal.h"
#include "compute/map/execution_scope.h"
#include "compute/map/fragment.h"
#include "compute/map/shuffle_arithmetic.h"

namespace loom {

/// The representation of the weights of lambda and nu in FP16 matrices.
enum class TensorWeights {
  kDigits,  ///< cut into digits, one row each: exact at every level
  kPlain,   ///< one FP16 number each, as in the papers: wrong from the levels of fp16_limit.h on
};

/// lambda and nu of tile coordinates as matrix products (fragment.h): one warp maps up to eight coordinates
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

}  // namespace loom
