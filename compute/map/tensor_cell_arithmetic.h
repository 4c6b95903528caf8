#pragma once

#include <cstdint>
#include <vector>

#include "compute/geometry/tiled_fractal.h"
#include "compute/map/shuffle_arithmetic.h"
#include "compute/map/tensor_arithmetic.h"

namespace loom {

/// lambda as matrix products that give every position of a tile its own expanded coordinate, not
/// only the tile: D_x = A B_x + C_x. Every row of A holds the levels' weights in cells, rho_x s_x^(mu - 1);
/// every column of B_x holds the tile's offsets tau_x; C_x holds each position's own t_x. The same for y.
/// Variant 3 of [lambda-2020] section 6.3.
///
/// Positions are numbered t_y * rho_x + t_x, and each 256 of them form one fragment D in row-major order. For
/// rho = 16, D[t_y][t_x] is as in the paper and needs two products; rho = 32 needs eight; tiles of other
/// sizes only waste the end of the last fragment. If some weight is not an FP16 number, weights are cut into
/// planes of digits, with one matrix and one product for each, and C in the lowest plane; the planes are
/// joined with integer arithmetic.
///
/// This is a view: the caller owns the tables, in host or device memory.
template <typename Int>
class TensorCellArithmetic {
 public:
  static constexpr ExecutionScope kExecutionScope = ExecutionScope::kMatrixCells;

  /// A view of `levels`, the content of ShuffleArithmetic::build(fractal), of `weights`, that of
  /// build_weights(fractal), and of `positions`, that of build_positions(fractal), or of copies of them. On a
  /// device they must be aligned to 32 bytes.
  TensorCellArithmetic(const TiledFractal& fractal, const void* levels, const std::uint16_t* weights,
                       const float* positions);

  /// The A matrices as FP16 bit patterns in row-major order: for x and then y, for each plane, for each 16
  /// levels.
  static std::vector<std::uint16_t> build_weights(const TiledFractal& fractal);
  /// The C matrices in row-major order: for x and then y, for each fragment.
  static std::vector<float> build_positions(const TiledFractal& fractal);

  LOOM_HOST_DEVICE int levels() const { return digits_.levels(); }
  LOOM_HOST_DEVICE int products() const { return products_of(levels()); }
  LOOM_HOST_DEVICE int planes() const { return planes_; }
  LOOM_HOST_DEVICE std::uint32_t positions() const { return count_; }
  /// The number of fragments that cover the tile's positions, 1 to 4.
  LOOM_HOST_DEVICE std::uint32_t fragments() const { return (count_ + kFragmentArea - 1) / kFragmentArea; }
  /// A of one plane and 16 levels, for x (`axis` 0) or y (1).
  LOOM_HOST_DEVICE const std::uint16_t* weights(int axis, int plane, int product) const {
    return weights_ + in_fragment((axis * planes_ + plane) * products() + product, 0, 0);
  }
  /// C of one fragment.
  LOOM_HOST_DEVICE const float* own_positions(int axis, std::uint32_t fragment) const {
    return positions_ + (static_cast<std::uint32_t>(axis) * fragments() + fragment) * kFragmentArea;
  }
  /// The element of B for level mu, 1 to levels().
  LOOM_HOST_DEVICE Coord32 offset(int mu, Coord<Int> omega) const { return digits_.offset(mu, omega); }

  /// The contribution of plane `plane` to a coordinate, given its sum in D.
  LOOM_HOST_DEVICE static Int digit_part(float sum, int plane) {
    return static_cast<Int>(static_cast<std::uint32_t>(sum)) << (kDigitBits * plane);
  }

  /// The same products in plain loops for one position `at` of the tile at `omega`. The CPU uses them.
  LOOM_HOST_DEVICE Coord<Int> cell(Coord<Int> omega, Coord32 at) const {
    const std::uint32_t position = at.y * static_cast<std::uint32_t>(rho_x_.value()) + at.x;
    const std::uint32_t fragment = position / kFragmentArea;
    const std::uint32_t element = position % kFragmentArea;
    const int row = static_cast<int>(element / kFragmentSide);
    LevelColumn column_x(products());
    LevelColumn column_y(products());
    for (int mu = 1; mu <= levels(); ++mu) {
      const Coord32 tau = offset(mu, omega);
      column_x.at[mu - 1] = static_cast<float>(tau.x);
      column_y.at[mu - 1] = static_cast<float>(tau.y);
    }
    Coord<Int> sum{0, 0};
    for (int plane = 0; plane < planes_; ++plane) {
      float x = multiply_row(weights(0, plane, 0), products(), row, column_x);
      float y = multiply_row(weights(1, plane, 0), products(), row, column_y);
      if (plane == 0) {
        x += own_positions(0, fragment)[element];
        y += own_positions(1, fragment)[element];
      }
      sum.x += digit_part(x, plane);
      sum.y += digit_part(y, plane);
    }
    return sum;
  }
  /// The tile's coordinate: that of its first position, in tiles.
  LOOM_HOST_DEVICE Coord<Int> lambda(Coord<Int> omega) const {
    const Coord<Int> first = cell(omega, {0, 0});
    return {rho_x_.divide(first.x), rho_y_.divide(first.y)};
  }

 private:
  ShuffleArithmetic<Int, true> digits_;
  const std::uint16_t* weights_;
  const float* positions_;
  FastDivisor<Int> rho_x_;
  FastDivisor<Int> rho_y_;
  std::uint32_t count_;
  int planes_;
};

extern template class TensorCellArithmetic<std::uint32_t>;
extern template class TensorCellArithmetic<std::uint64_t>;

}  // namespace loom
