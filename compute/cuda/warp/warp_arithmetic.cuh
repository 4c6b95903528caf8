#pragma once

#include <cstdint>

#include "compute/map/shuffle_arithmetic.h"

namespace loom::cuda {

/// The sum over a warp, valid in each lane. All 32 lanes must take part.
template <typename Int>
__device__ __forceinline__ Int warp_sum(Int value) {
#pragma unroll
  for (int distance = 16; distance > 0; distance /= 2) value += __shfl_xor_sync(~0u, value, distance);
  return value;
}

/// lambda by a warp: one level per lane (several if there are more levels than lanes). Valid in every lane.
template <typename Int>
__device__ __forceinline__ Coord<Int> warp_lambda(const ShuffleArithmetic<Int>& arithmetic,
                                                  std::uint32_t lane, Coord<Int> omega) {
  Coord<Int> sum{0, 0};
  for (int mu = 1 + static_cast<int>(lane); mu <= arithmetic.levels(); mu += 32) {
    const Coord<Int> term = arithmetic.lambda_term(mu, omega);
    sum.x += term.x;
    sum.y += term.y;
  }
  return {warp_sum(sum.x), warp_sum(sum.y)};
}

/// nu by a warp, one level per lane. Valid in every lane.
template <typename Int>
__device__ __forceinline__ CompactCoord<Int> warp_nu(const ShuffleArithmetic<Int>& arithmetic,
                                                     std::uint32_t lane, Coord<Int> place) {
  CompactCoord<Int> sum{{0, 0}, true};
  for (int mu = 1 + static_cast<int>(lane); mu <= arithmetic.levels(); mu += 32) {
    const CompactCoord<Int> term = arithmetic.nu_term(mu, place);
    sum.present = sum.present && term.present;
    sum.omega.x += term.omega.x;
    sum.omega.y += term.omega.y;
  }
  return {{warp_sum(sum.omega.x), warp_sum(sum.omega.y)}, __all_sync(~0u, sum.present) != 0};
}

}  // namespace loom::cuda
