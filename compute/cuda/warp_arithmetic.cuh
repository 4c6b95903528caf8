#pragma once

#include <cstdint>

#include "compute/fractal/storage.h"
#include "compute/map/shuffle_arithmetic.h"

namespace loom::cuda {

/// The calling thread's place among the lanes of its warp that exist: the last warp of a block may have fewer
/// than 32.
struct Lanes {
  std::uint32_t lane;
  std::uint32_t count;
  std::uint32_t mask;
};

/// `rank` is the thread's number in a block of `threads`.
__device__ __forceinline__ Lanes lanes_of(std::uint32_t rank, std::uint32_t threads) {
  const std::uint32_t left = threads - rank / 32 * 32;
  const std::uint32_t count = left < 32 ? left : 32;
  return {rank % 32, count, count == 32 ? 0xffffffffu : (1u << count) - 1};
}

/// The sum over the lanes of a warp, valid in each of them. All of `lanes` take part.
template <typename Int>
__device__ __forceinline__ Int sum_over(const Lanes& lanes, Int value) {
  for (std::uint32_t distance = 16; distance > 0; distance /= 2) {
    const Int other = __shfl_down_sync(lanes.mask, value, distance);
    if (lanes.lane + distance < lanes.count) value += other;
  }
  return __shfl_sync(lanes.mask, value, 0);
}

/// lambda by a warp: one level a lane (several where there are more levels than lanes). Valid in every lane.
template <typename Int>
__device__ __forceinline__ Coord<Int> warp_lambda(const ShuffleArithmetic<Int>& arithmetic,
                                                  const Lanes& lanes, Coord<Int> omega) {
  Coord<Int> sum{0, 0};
  for (int mu = 1 + static_cast<int>(lanes.lane); mu <= arithmetic.levels();
       mu += static_cast<int>(lanes.count)) {
    const Coord<Int> term = arithmetic.lambda_term(mu, omega);
    sum.x += term.x;
    sum.y += term.y;
  }
  return {sum_over(lanes, sum.x), sum_over(lanes, sum.y)};
}

/// nu by a warp, likewise.
template <typename Int>
__device__ __forceinline__ CompactCoord<Int> warp_nu(const ShuffleArithmetic<Int>& arithmetic,
                                                     const Lanes& lanes, Coord<Int> place) {
  CompactCoord<Int> sum{{0, 0}, true};
  for (int mu = 1 + static_cast<int>(lanes.lane); mu <= arithmetic.levels();
       mu += static_cast<int>(lanes.count)) {
    const CompactCoord<Int> term = arithmetic.nu_term(mu, place);
    sum.present = sum.present && term.present;
    sum.omega.x += term.omega.x;
    sum.omega.y += term.omega.y;
  }
  return {{sum_over(lanes, sum.omega.x), sum_over(lanes, sum.omega.y)},
          __all_sync(lanes.mask, sum.present) != 0};
}

}  // namespace loom::cuda
