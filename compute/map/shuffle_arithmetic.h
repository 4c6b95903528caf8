#pragma once

#include <cstdint>
#include <vector>

#include "compute/core/fast_divisor.h"
#include "compute/geometry/tiled_fractal.h"
#include "compute/geometry/transforms.h"

namespace loom {

/// The threads of a thread block that compute a tile's coordinate (and its neighbours').
enum class ExecutionScope {
  kEachThread,  ///< every thread for itself: the map is the identity
  kOneThread,   ///< one thread, which distributes the result through shared memory
  kWarp,        ///< one warp, which distributes the result through shared memory
  kMatrix,  ///< one warp by matrix products, up to eight tiles per product; results go through shared memory
  kMatrixCells,  ///< all warps by matrix products, which give every position its own cell instead of a tile
                 ///< coordinate
};

/// The powers that belong to one level.
template <typename Int>
struct ShuffleLevel {
  FastDivisor<Int> k_power;    ///< weight of the level's digit in omega_x or omega_y, k^((mu - 1) / 2)
  FastDivisor<Int> s_x_power;  ///< s_x^(mu - 1)
  FastDivisor<Int> s_y_power;
};

/// lambda and nu of tile coordinates as a sum over levels whose terms are independent of each other. On the
/// GPU each lane of a warp computes the term of one level and a shuffle reduction adds the terms
/// (compute/cuda/warp/warp_arithmetic.cuh), in O(log r_b) steps instead of r_b. Exact, equal to
/// LoopArithmetic. Source: [lambda-2020] section 5, [compact] section 3.
///
/// This is a view: the caller owns the powers, in host or device memory. With kUniform it serves uniform
/// fractals alone, and needs fewer registers.
template <typename Int, bool kUniform = false>
class ShuffleArithmetic {
 public:
  static constexpr ExecutionScope kExecutionScope = ExecutionScope::kWarp;

  using Level = ShuffleLevel<Int>;

  /// A view of `levels`, which is the content of build(fractal) or a copy of it.
  ShuffleArithmetic(const TiledFractal& fractal, const void* levels)
      : transform_(fractal.shape, fractal.levels, fractal.coarse_level),
        levels_(static_cast<const Level*>(levels)),
        count_(fractal.coarse_level) {}

  /// The powers of all levels, finest first.
  static std::vector<Level> build(const TiledFractal& fractal);

  LOOM_HOST_DEVICE int levels() const { return count_; }

  /// The offset of level mu, 1 to levels(), in lambda(omega): the position of its replica in the s_x x s_y
  /// box.
  LOOM_HOST_DEVICE Coord32 offset(int mu, Coord<Int> omega) const {
    Int digits = levels_[mu - 1].k_power.divide(mu & 1 ? omega.x : omega.y);
    if (!kUniform && !transform_.is_uniform()) {
      const Int beta = transform_.divisors(mu).k.take_digit(digits);
      const NbbShape& shape = transform_.level(mu).shape;
      return {shape.offset_x[beta], shape.offset_y[beta]};
    }
    const Int beta = transform_.k.take_digit(digits);
    return {transform_.shape.offset_x[beta], transform_.shape.offset_y[beta]};
  }

  /// The replica of level mu that contains `place`, or -1 for a hole.
  LOOM_HOST_DEVICE int replica(int mu, Coord<Int> place) const {
    Int x = levels_[mu - 1].s_x_power.divide(place.x);
    Int y = levels_[mu - 1].s_y_power.divide(place.y);
    if (!kUniform && !transform_.is_uniform()) {
      const LevelDivisors<Int>& by = transform_.divisors(mu);
      const Int column = by.s_x.take_digit(x);
      return transform_.level(mu).shape.replica_at[by.s_y.take_digit(y) * by.s_x.value() + column];
    }
    const Int tau_x = transform_.s_x.take_digit(x);
    const Int tau_y = transform_.s_y.take_digit(y);
    return transform_.shape.replica_at[tau_y * transform_.shape.s_x + tau_x];
  }

  /// The term of level mu in lambda(omega).
  LOOM_HOST_DEVICE Coord<Int> lambda_term(int mu, Coord<Int> omega) const {
    const Coord32 tau = offset(mu, omega);
    return {tau.x * levels_[mu - 1].s_x_power.value(), tau.y * levels_[mu - 1].s_y_power.value()};
  }

  /// The term of level mu in nu(place); nothing if the level has no replica there.
  LOOM_HOST_DEVICE CompactCoord<Int> nu_term(int mu, Coord<Int> place) const {
    const int b = replica(mu, place);
    if (b < 0) return {};
    const Int digit = static_cast<Int>(b) * levels_[mu - 1].k_power.value();
    CompactCoord<Int> term;
    (mu & 1 ? term.omega.x : term.omega.y) = digit;
    term.present = true;
    return term;
  }

  /// The sums over all levels by one thread. The CPU uses them, since it has no lanes.
  LOOM_HOST_DEVICE Coord<Int> lambda(Coord<Int> omega) const {
    Coord<Int> sum{0, 0};
    for (int mu = 1; mu <= count_; ++mu) {
      const Coord<Int> term = lambda_term(mu, omega);
      sum.x += term.x;
      sum.y += term.y;
    }
    return sum;
  }
  LOOM_HOST_DEVICE CompactCoord<Int> nu(Coord<Int> place) const {
    CompactCoord<Int> sum{{0, 0}, true};
    for (int mu = 1; mu <= count_; ++mu) {
      const CompactCoord<Int> term = nu_term(mu, place);
      if (!term.present) return {};
      sum.omega.x += term.omega.x;
      sum.omega.y += term.omega.y;
    }
    return sum;
  }

 private:
  NbbTransform<Int> transform_;
  const Level* levels_;
  int count_;
};

extern template class ShuffleArithmetic<std::uint32_t>;
extern template class ShuffleArithmetic<std::uint64_t>;

}  // namespace loom
