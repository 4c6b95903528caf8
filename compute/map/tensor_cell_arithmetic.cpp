#include "compute/map/tensor_cell_arithmetic.h"

#include <algorithm>

#include "compute/core/half.h"
#include "compute/core/integer_math.h"

namespace loom {
namespace {

/// The displacement of a cell by an offset of 1 at level mu.
Coord64 weight_of(const TiledFractal& fractal, int mu) {
  return {fractal.rho_x * *checked_power(fractal.shape.s_x, mu - 1),
          fractal.rho_y * *checked_power(fractal.shape.s_y, mu - 1)};
}

/// The number of digit planes of a tile's weights: 1 if all weights are FP16 numbers. Their sum is then below
/// 65504 * 8 < 2^24.
int planes_of(const TiledFractal& fractal) {
  std::uint64_t largest = 1;
  bool all_fit = true;
  for (int mu = 1; mu <= fractal.coarse_level; ++mu) {
    const Coord64 weight = weight_of(fractal, mu);
    all_fit = all_fit && is_half(weight.x) && is_half(weight.y);
    largest = std::max({largest, weight.x, weight.y});
  }
  return all_fit ? 1 : digit_count(largest);
}

}  // namespace

template <typename Int>
TensorCellArithmetic<Int>::TensorCellArithmetic(const TiledFractal& fractal, const void* levels,
                                                const std::uint16_t* weights, const float* positions)
    : digits_(fractal, levels),
      weights_(weights),
      positions_(positions),
      rho_x_(fractal.rho_x),
      rho_y_(fractal.rho_y),
      count_(fractal.points_per_tile()),
      planes_(planes_of(fractal)) {}

template <typename Int>
std::vector<std::uint16_t> TensorCellArithmetic<Int>::build_weights(const TiledFractal& fractal) {
  const int planes = planes_of(fractal);
  const int products = products_of(fractal.coarse_level);
  std::vector<std::uint16_t> matrices(in_fragment(2 * planes * products, 0, 0));
  for (int mu = 1; mu <= fractal.coarse_level; ++mu) {
    const Coord64 weight = weight_of(fractal, mu);
    for (int axis = 0; axis < 2; ++axis) {
      for (int plane = 0; plane < planes; ++plane) {
        const std::uint64_t whole = axis == 0 ? weight.x : weight.y;
        const std::uint16_t element = to_half(planes == 1 ? whole : weight_digit(whole, plane));
        const int matrix = (axis * planes + plane) * products + (mu - 1) / kFragmentSide;
        for (int row = 0; row < kFragmentSide; ++row) {
          matrices[in_fragment(matrix, row, (mu - 1) % kFragmentSide)] = element;
        }
      }
    }
  }
  return matrices;
}

template <typename Int>
std::vector<float> TensorCellArithmetic<Int>::build_positions(const TiledFractal& fractal) {
  const std::uint32_t area = fractal.points_per_tile();
  const std::uint32_t padded = ceil_divide<std::uint32_t>(area, kFragmentArea) * kFragmentArea;
  std::vector<float> positions(2 * std::size_t{padded});
  for (std::uint32_t t = 0; t < area; ++t) {
    positions[t] = static_cast<float>(t % fractal.rho_x);
    positions[padded + t] = static_cast<float>(t / fractal.rho_x);
  }
  return positions;
}

template class TensorCellArithmetic<std::uint32_t>;
template class TensorCellArithmetic<std::uint64_t>;

}  // namespace loom
