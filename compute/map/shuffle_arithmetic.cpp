#include "compute/map/shuffle_arithmetic.h"

namespace loom {

template <typename Int, bool kUniform>
std::vector<ShuffleLevel<Int>> ShuffleArithmetic<Int, kUniform>::build(const TiledFractal& fractal) {
  std::vector<Level> levels;
  Int x = 1;
  Int y = 1;
  Int odd = 1;
  Int even = 1;
  for (int mu = 1; mu <= fractal.coarse_level; ++mu) {
    const NbbShape& shape = fractal.coarse_shape(mu);
    Int& weight = mu % 2 == 1 ? odd : even;
    levels.push_back({FastDivisor<Int>(weight), FastDivisor<Int>(x), FastDivisor<Int>(y)});
    weight *= static_cast<Int>(shape.k);
    x *= static_cast<Int>(shape.s_x);
    y *= static_cast<Int>(shape.s_y);
  }
  return levels;
}

template class ShuffleArithmetic<std::uint32_t, false>;
template class ShuffleArithmetic<std::uint64_t, false>;
template class ShuffleArithmetic<std::uint32_t, true>;
template class ShuffleArithmetic<std::uint64_t, true>;

}  // namespace loom
