#pragma once

#include "compute/core/coord.h"
#include "compute/core/host_device.h"
#include "compute/mandelbrot/double_double.h"

namespace loom {

/// Pixels that rounding may have changed, in the order in which they were computed. Plain data for kernels.
struct UncertainPixels {
  unsigned long long* count = nullptr;  ///< of all, also of those beyond the capacity; null: no list
  Coord32* pixels = nullptr;
  unsigned long long capacity = 0;

  LOOM_HOST_DEVICE void add(Coord32 pixel) const {
#if defined(__CUDA_ARCH__)
    const unsigned long long slot = atomicAdd(count, 1ull);
#else
    const unsigned long long slot = __atomic_fetch_add(count, 1ull, __ATOMIC_RELAXED);
#endif
    if (slot < capacity) pixels[slot] = pixel;
  }
};

/// How far rounding has moved an orbit (docs/explanation/deep-zoom.md, Rounding). `error` is the square of
/// the distance, in units of the square of the rounding of a number of size 1; one part is multiplied by
/// |dz_{k+1}/dz_k|^2 = |2 (Z_k + z_k)|^2, or |A|^2 over a step, in each iteration. A rounding of z_k,
/// relative to its size, moves c by |z_k| / |dz_k/dc|, which hardly grows along an orbit, so that it suffices
/// to add the roundings of all iterations so far where the orbit is rebased and at its end.
///
/// Doubles hold it for all distances in their range if it is multiplied by 2^kErrorShift. It then overflows,
/// for good, where the orbit is moved by about a tenth: it is lost.
template <typename Real>
inline constexpr int kErrorShift = 924;
template <>
inline constexpr int kErrorShift<DoubleDouble> = 824;
/// An orbit is uncertain if it ends closer to |z| = 2 than this many times the distance. What was measured:
/// docs/explanation/deep-zoom.md.
inline constexpr double kErrorSafety = 64;
/// The square of the rounding.
template <typename Real>
inline constexpr double kRoundingSquare = 0x1p-106;
template <>
inline constexpr double kRoundingSquare<DoubleDouble> = 0x1p-206;

}  // namespace loom
