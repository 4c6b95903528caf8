#include "compute/map/shuffle_arithmetic.h"

#include "compute/core/integer_math.h"

namespace loom {

template <typename Int>
std::vector<typename ShuffleArithmetic<Int>::Level> ShuffleArithmetic<Int>::build(
    const TiledFractal& fractal) {
  const auto power = [](std::uint64_t base, int exponent) {
    return FastDivisor<Int>(static_cast<Int>(*checked_power(base, exponent)));
  };
  std::vector<Level> levels;
  for (int mu = 1; mu <= fractal.coarse_level; ++mu) {
    levels.push_back({power(fractal.shape.k, (mu - 1) / 2), power(fractal.shape.s_x, mu - 1),
                      power(fractal.shape.s_y, mu - 1)});
  }
  return levels;
}

template class ShuffleArithmetic<std::uint32_t>;
template class ShuffleArithmetic<std::uint64_t>;

}  // namespace loom
