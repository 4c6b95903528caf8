#pragma once

#include "compute/geometry/tiled_fractal.h"
#include "compute/geometry/transforms.h"
#include "compute/map/execution_scope.h"

namespace loom {

/// lambda and nu of tile coordinates, level by level, if no replica is turned.
template <typename Int>
class LoopArithmetic {
 public:
  static constexpr ExecutionScope kExecutionScope = ExecutionScope::kOneThread;

  explicit LoopArithmetic(const TiledFractal& fractal)
      : transform_(fractal.shape, fractal.levels, fractal.coarse_level), levels_(fractal.coarse_level) {}

  LOOM_HOST_DEVICE Coord<Int> lambda(Coord<Int> omega) const {
    return transform_.is_uniform() ? uniform_lambda_map(transform_, levels_, omega)
                                   : mixed_lambda_map(transform_, levels_, omega);
  }
  LOOM_HOST_DEVICE CompactCoord<Int> nu(Coord<Int> place) const {
    return transform_.is_uniform() ? uniform_nu_map(transform_, levels_, place)
                                   : mixed_nu_map(transform_, levels_, place);
  }

 private:
  NbbTransform<Int> transform_;
  int levels_ = 0;
};

}  // namespace loom
