#include "compute/map/tensor_arithmetic.h"

#include <algorithm>

#include "compute/core/integer_math.h"

namespace loom {
namespace {

std::uint64_t power(std::uint64_t base, int exponent) {
  return *checked_power(base, exponent);
}

}  // namespace

template <typename Int>
TensorArithmetic<Int>::TensorArithmetic(const TiledFractal& fractal, TensorWeights weights,
                                        const void* levels, const std::uint16_t* matrices)
    : digits_(fractal, levels),
      matrices_(matrices),
      orthotope_x_(static_cast<Int>(fractal.orthotope_x)),
      orthotope_y_(static_cast<Int>(fractal.orthotope_y)),
      weights_(weights),
      lambda_rows_(1),
      nu_rows_(1) {
  if (weights == TensorWeights::kPlain || fractal.coarse_level == 0) return;
  const int last = fractal.coarse_level - 1;
  const NbbShape& shape = fractal.shape;
  lambda_rows_ = digit_count(power(std::max(shape.s_x, shape.s_y), last));
  nu_rows_ = digit_count(power(shape.k, last / 2));
}

template <typename Int>
std::vector<std::uint16_t> TensorArithmetic<Int>::build(const TiledFractal& fractal, TensorWeights weights) {
  const NbbShape& shape = fractal.shape;
  const int products = products_of(fractal.coarse_level);
  std::vector<std::uint16_t> matrices(in_fragment(2 * products, 0, 0));
  const auto put_weight = [&](int matrix, int first_row, int column, std::uint64_t weight) {
    if (weights == TensorWeights::kPlain) {
      matrices[in_fragment(matrix, first_row, column)] = to_half(weight);
      return;
    }
    for (int i = 0; i < digit_count(weight); ++i) {
      matrices[in_fragment(matrix, first_row + i, column)] = to_half(weight_digit(weight, i));
    }
  };
  for (int mu = 1; mu <= fractal.coarse_level; ++mu) {
    const int column = (mu - 1) % kFragmentSide;
    const int lambda_matrix = (mu - 1) / kFragmentSide;
    put_weight(lambda_matrix, 0, column, power(shape.s_x, mu - 1));
    put_weight(lambda_matrix, kRowsOfCoordinate, column, power(shape.s_y, mu - 1));
    const int nu_matrix = products + lambda_matrix;
    put_weight(nu_matrix, mu % 2 == 1 ? 0 : kRowsOfCoordinate, column, power(shape.k, (mu - 1) / 2));
    matrices[in_fragment(nu_matrix, kHoleRow, column)] = to_half(1);
  }
  return matrices;
}

template class TensorArithmetic<std::uint32_t>;
template class TensorArithmetic<std::uint64_t>;

std::optional<int> first_wrong_level(const NbbFractal& fractal, MapDirection direction) {
  if (!fractal.is_uniform()) return std::nullopt;
  const NbbShape& shape = fractal.shape();
  // An axis on which no replica is offset has sums of zeros, for any weights.
  const bool moves_x =
      std::any_of(shape.offset_x, shape.offset_x + shape.k, [](auto tau) { return tau > 0; });
  const bool moves_y =
      std::any_of(shape.offset_y, shape.offset_y + shape.k, [](auto tau) { return tau > 0; });
  const auto fits = [](std::uint64_t base, int exponent) { return is_half(*checked_power(base, exponent)); };
  for (int mu = 1; mu <= fractal.max_level(); ++mu) {
    const bool right = direction == MapDirection::kNu
                           ? fits(shape.k, (mu - 1) / 2)
                           : (!moves_x || fits(shape.s_x, mu - 1)) && (!moves_y || fits(shape.s_y, mu - 1));
    if (!right) return mu;
  }
  return std::nullopt;
}

}  // namespace loom
