#pragma once

#include "compute/core/load_whole.h"
#include "compute/geometry/tiled_fractal.h"
#include "compute/geometry/transforms.h"
#include "compute/map/shuffle_arithmetic.h"

namespace loom {

/// lambda and nu of tile coordinates, level by level, if no replica is turned. Mixed fractals have kernels of
/// their own: each digit's term comes from memory (MixedLevel), which takes fewer instructions than products
/// over the levels. nu takes one level at a time: life on the compact map then needs 32 registers, as for one
/// generator, instead of 52.
template <typename Int, bool kMixed = false>
class LoopArithmetic {
 public:
  static constexpr ExecutionScope kExecutionScope = ExecutionScope::kOneThread;

  explicit LoopArithmetic(const TiledFractal& fractal)
      : transform_(fractal.shape, fractal.levels, fractal.coarse_level), levels_(fractal.coarse_level) {
    if constexpr (kInParameters) {
      for (int mu = 1; mu <= levels_; ++mu) k_[mu - 1] = transform_.divisors(mu).k;
    }
  }

  LOOM_HOST_DEVICE Coord<Int> lambda(Coord<Int> omega) const {
#if defined(__CUDA_ARCH__)
    if constexpr (kMixed) {
      Coord<Int> place{0, 0};
      const auto add_level = [&](int mu, Int& digits) {
        const Coord<Int> term = load_whole(terms(mu).offset[k_of(mu).take_digit(digits)]);
        place.x += term.x;
        place.y += term.y;
      };
#pragma unroll 2  // the loads of the levels overlap
      for (int mu = 1; mu < levels_; mu += 2) {
        add_level(mu, omega.x);
        add_level(mu + 1, omega.y);
      }
      if (levels_ & 1) add_level(levels_, omega.x);
      return place;
    }
#endif
    if constexpr (kMixed) return mixed_lambda_map(transform_, levels_, omega);
    return uniform_lambda_map(transform_, levels_, omega);
  }

  LOOM_HOST_DEVICE CompactCoord<Int> nu(Coord<Int> place) const {
#if defined(__CUDA_ARCH__)
    if constexpr (kMixed) {
      Coord<Int> omega{0, 0};
      bool hole = false;  // no branch, as in uniform_nu_map()
      const MixedLevel<Int>* level = &terms(1);
      for (int left = levels_; left > 0; --left, ++level) {
        const FastDivisor<Int> s_y = load_whole(level->s_y);
        const Int tau_y = s_y.take_digit(place.y);
        const FastDivisor<Int> s_x = load_whole(level->s_x);
        const Int tau_x = s_x.take_digit(place.x);
        const Int term = level->replica[tau_y * s_x.value() + tau_x];
        hole |= term == MixedLevel<Int>::kHole;
        omega = {omega.y, omega.x + term};
      }
      if (levels_ & 1) omega = {omega.y, omega.x};
      return {omega, !hole};
    }
#endif
    if constexpr (kMixed) return mixed_nu_map(transform_, levels_, place);
    return uniform_nu_map(transform_, levels_, place);
  }

 private:
  LOOM_HOST_DEVICE const MixedLevel<Int>& terms(int mu) const {
    return static_cast<const MixedLevel<Int>*>(transform_.levels.device_mixed)[mu - 1];
  }

  LOOM_HOST_DEVICE FastDivisor<Int> k_of(int mu) const {
    if constexpr (kInParameters) {
      return k_[mu - 1];
    } else {
      return load_whole(terms(mu).k);
    }
  }

  /// Whether lambda's divisors are parameters of a kernel, which are read without loads; those of 64 bits
  /// would not fit.
  static constexpr bool kInParameters = kMixed && sizeof(Int) == sizeof(std::uint32_t);

  NbbTransform<Int> transform_;
  int levels_ = 0;
  FastDivisor<Int> k_[kInParameters ? kMaxLevels : 1];
};

}  // namespace loom
