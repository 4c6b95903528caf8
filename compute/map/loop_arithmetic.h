#pragma once

#include "compute/geometry/tiled_fractal.h"
#include "compute/geometry/transforms.h"
#include "compute/map/execution_scope.h"

namespace loom {

/// lambda and nu of tile coordinates, level by level, if no replica is turned. Mixed fractals have kernels of
/// their own, because their levels' divisors need registers.
template <typename Int, bool kMixed = false>
class LoopArithmetic {
 public:
  static constexpr ExecutionScope kExecutionScope = ExecutionScope::kOneThread;

  explicit LoopArithmetic(const TiledFractal& fractal)
      : transform_(fractal.shape, fractal.levels, fractal.coarse_level), levels_(fractal.coarse_level) {}

  LOOM_HOST_DEVICE Coord<Int> lambda(Coord<Int> omega) const {
    if constexpr (kMixed) return mixed_lambda_map<(sizeof(Int) == 4 ? 2 : 1)>(transform_, levels_, omega);
    return uniform_lambda_map(transform_, levels_, omega);
  }
  LOOM_HOST_DEVICE CompactCoord<Int> nu(Coord<Int> place) const {
    if constexpr (kMixed) return mixed_nu_map(transform_, levels_, place);
    return uniform_nu_map(transform_, levels_, place);
  }

 private:
  NbbTransform<Int> transform_;
  int levels_ = 0;
};

}  // namespace loom
