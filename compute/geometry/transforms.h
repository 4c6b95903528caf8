#pragma once

#include <cstdint>

#include "compute/core/coord.h"
#include "compute/core/fast_divisor.h"
#include "compute/core/host_device.h"
#include "compute/geometry/nbb_fractal.h"

namespace loom {

/// A fractal with the divisors that split its coordinates into digits. Int is uint32_t if every coordinate of
/// the level fits in 32 bits (TiledFractal::fits_32_bits), otherwise uint64_t. Of a fractal that is not
/// uniform, only `levels` and `top` are used.
template <typename Int>
struct NbbTransform {
  NbbShape shape;
  FastDivisor<Int> k;
  FastDivisor<Int> s_x;
  FastDivisor<Int> s_y;
  bool is_gasket = false;  ///< whether the offsets are those of the Sierpinski gasket, in any order
  LevelView levels;
  int top = 0;  ///< level mu is element top - mu of the table of levels

  NbbTransform() = default;
  /// For levels 1 to `top` of any fractal, or the low levels of a fractal of level `top`.
  NbbTransform(const NbbShape& nbb, const LevelView& all_levels, int top_level) : NbbTransform(nbb) {
    levels = all_levels;
    top = top_level;
  }
  /// For a fractal at level `level`.
  NbbTransform(const NbbFractal& fractal, int level)
      : NbbTransform(fractal.shape(), fractal.levels(), level) {}
  /// For any level of a uniform fractal.
  explicit NbbTransform(const NbbShape& nbb) : shape(nbb), k(nbb.k), s_x(nbb.s_x), s_y(nbb.s_y) {
    is_gasket = nbb.k == 3 && nbb.s_x == 2 && nbb.s_y == 2 && nbb.replica_at[1] < 0;
  }
  LOOM_HOST_DEVICE bool is_uniform() const { return levels.kind == LevelKind::kUniform; }
  /// Divisors and generator of level mu, 1 the finest, of a fractal that is not uniform.
  LOOM_HOST_DEVICE const LevelDivisors<Int>& divisors(int mu) const {
    return levels.table().template divisors<Int>(top - mu);
  }
  LOOM_HOST_DEVICE const LevelShape& level(int mu) const { return levels.table().shapes[top - mu]; }
};

// lambda: compact -> expanded. `omega` is in the k^ceil(levels/2) x k^floor(levels/2) orthotope; the result
// is in [0, s_x^levels) x [0, s_y^levels) and never a hole. Odd levels mu = 1, 3, ... (1 is the finest) are
// digits of omega.x, even levels digits of omega.y, in base k. Exact. Source: [lambda-2020] eqs. 4-9, 14-17.
// For fractals that are not uniform, powers are products over the finer levels (docs/explanation/maps.md).

/// lambda of a uniform fractal.
template <typename Int>
LOOM_HOST_DEVICE Coord<Int> uniform_lambda_map(const NbbTransform<Int>& f, int levels, Coord<Int> omega) {
  Coord<Int> cell{0, 0};
  Int weight_x = 1;
  Int weight_y = 1;
  const auto add_level = [&](Int& digits) {
    const Int beta = f.k.take_digit(digits);
    cell.x += weight_x * f.shape.offset_x[beta];
    cell.y += weight_y * f.shape.offset_y[beta];
    weight_x *= f.shape.s_x;
    weight_y *= f.shape.s_y;
  };
  for (int mu = 1; mu < levels; mu += 2) {
    add_level(omega.x);
    add_level(omega.y);
  }
  if (levels & 1) add_level(omega.x);
  return cell;
}

/// lambda of a mixed fractal: digits in mixed radix.
template <typename Int>
LOOM_HOST_DEVICE Coord<Int> mixed_lambda_map(const NbbTransform<Int>& f, int levels, Coord<Int> omega) {
  Coord<Int> cell{0, 0};
  Int weight_x = 1;
  Int weight_y = 1;
  // The coordinates are passed by name: a reference that depends on the level would put them in local memory.
  const auto add_level = [&](int mu, Int& digits) {
    const LevelDivisors<Int>& by = f.divisors(mu);
    const NbbShape& shape = f.level(mu).shape;
    const Int beta = by.k.take_digit(digits);
    cell.x += weight_x * shape.offset_x[beta];
    cell.y += weight_y * shape.offset_y[beta];
    weight_x *= by.s_x.value();
    weight_y *= by.s_y.value();
  };
  for (int mu = 1; mu < levels; mu += 2) {
    add_level(mu, omega.x);
    add_level(mu + 1, omega.y);
  }
  if (levels & 1) add_level(levels, omega.x);
  return cell;
}

/// A place and the orientation of what is there.
template <typename Int>
struct TurnedCoord {
  Coord<Int> at;
  Symmetry symmetry = Symmetry::kIdentity;
};

/// lambda of a fractal with turned replicas, from the finest level up: the content so far, a square, is
/// turned by the symmetry of its replica and moved by the replica's offset. The symmetry is that of the
/// content of the finest level.
template <typename Int>
LOOM_HOST_DEVICE TurnedCoord<Int> turned_lambda_map(const NbbTransform<Int>& f, int levels,
                                                    Coord<Int> omega) {
  TurnedCoord<Int> result;
  Int side = 1;
  const auto add_level = [&](int mu, Int& digits) {
    const LevelDivisors<Int>& by = f.divisors(mu);
    const LevelShape& level = f.level(mu);
    const Int beta = by.k.take_digit(digits);
    const Symmetry symmetry = level.symmetry[beta];
    result.at = apply(symmetry, result.at, side);
    result.at.x += side * level.shape.offset_x[beta];
    result.at.y += side * level.shape.offset_y[beta];
    result.symmetry = compose(symmetry, result.symmetry);
    side *= by.s_x.value();
  };
#if defined(__CUDA_ARCH__)
#pragma unroll 1  // fewer registers for the kernels that rarely come here
#endif
  for (int mu = 1; mu < levels; mu += 2) {
    add_level(mu, omega.x);
    add_level(mu + 1, omega.y);
  }
  if (levels & 1) add_level(levels, omega.x);
  return result;
}

/// lambda of a fractal that is not uniform.
template <typename Int>
LOOM_HOST_DEVICE Coord<Int> level_lambda_map(const NbbTransform<Int>& f, int levels, Coord<Int> omega) {
  if (f.levels.kind == LevelKind::kMixed) return mixed_lambda_map(f, levels, omega);
  return turned_lambda_map(f, levels, omega).at;
}

/// lambda of any fractal.
template <typename Int>
LOOM_HOST_DEVICE Coord<Int> lambda_map(const NbbTransform<Int>& f, int levels, Coord<Int> omega) {
  return f.is_uniform() ? uniform_lambda_map(f, levels, omega) : level_lambda_map(f, levels, omega);
}

/// A compact coordinate, or nothing if the expanded point is a hole; `omega` is then unspecified.
template <typename Int>
struct CompactCoord {
  Coord<Int> omega;
  bool present = false;
};

// nu, the inverse of lambda: expanded -> compact, or nothing for a hole. `cell` is in [0, s_x^levels) x [0,
// s_y^levels). Exact. Source: [compact] eqs. 2-8.

/// nu of a uniform fractal.
template <typename Int>
LOOM_HOST_DEVICE CompactCoord<Int> uniform_nu_map(const NbbTransform<Int>& f, int levels, Coord<Int> cell) {
  CompactCoord<Int> result;
  Int weight_x = 1;
  Int weight_y = 1;
  int holes = 0;  // negative once some level has no replica at this point
  for (int mu = 1; mu <= levels; ++mu) {
    const Int tau_x = f.s_x.take_digit(cell.x);
    const Int tau_y = f.s_y.take_digit(cell.y);
    const int replica = f.shape.replica_at[tau_y * f.shape.s_x + tau_x];
#if defined(__CUDA_ARCH__)
    holes |= replica;  // no branch: the loads of all levels overlap, and a warp waits for its slowest lane
#else
    if (replica < 0) return result;
#endif
    if (mu & 1) {
      result.omega.x += weight_x * static_cast<Int>(replica);
      weight_x *= f.shape.k;
    } else {
      result.omega.y += weight_y * static_cast<Int>(replica);
      weight_y *= f.shape.k;
    }
  }
  result.present = holes >= 0;
  return result;
}

/// nu of a mixed fractal.
template <typename Int>
LOOM_HOST_DEVICE CompactCoord<Int> mixed_nu_map(const NbbTransform<Int>& f, int levels, Coord<Int> cell) {
  CompactCoord<Int> result;
  Int weight_x = 1;
  Int weight_y = 1;
  int holes = 0;
  for (int mu = 1; mu <= levels; ++mu) {
    const LevelDivisors<Int>& by = f.divisors(mu);
    const Int tau_x = by.s_x.take_digit(cell.x);
    const Int tau_y = by.s_y.take_digit(cell.y);
    const int replica = f.level(mu).shape.replica_at[tau_y * by.s_x.value() + tau_x];
#if defined(__CUDA_ARCH__)
    holes |= replica;
#else
    if (replica < 0) return result;
#endif
    if (mu & 1) {
      result.omega.x += weight_x * static_cast<Int>(replica);
      weight_x *= by.k.value();
    } else {
      result.omega.y += weight_y * static_cast<Int>(replica);
      weight_y *= by.k.value();
    }
  }
  result.present = holes >= 0;
  return result;
}

/// The walk of a point through the levels of a fractal with turned replicas, from the coarsest down: calls
/// `use(mu, replica)` for each level and returns the orientation of the content of the finest, or stops at
/// the first level that has no replica there. In orientation q, the point's digits at a level are q of the
/// replica's offset.
template <typename Int>
struct TurnedWalk {
  Symmetry symmetry = Symmetry::kIdentity;
  bool present = true;
};
template <typename Int, typename Use>
LOOM_HOST_DEVICE TurnedWalk<Int> walk_turned(const NbbTransform<Int>& f, int levels, Coord<Int> cell,
                                             const Use& use) {
  // The digits in reverse order, so that the coarsest is the lowest.
  Coord<Int> digits{0, 0};
  for (int mu = 1; mu <= levels; ++mu) {
    const FastDivisor<Int> side = f.divisors(mu).s_x;
    digits.x = digits.x * side.value() + side.take_digit(cell.x);
    digits.y = digits.y * side.value() + side.take_digit(cell.y);
  }
  TurnedWalk<Int> walk;
  for (int mu = levels; mu >= 1; --mu) {
    const FastDivisor<Int> side = f.divisors(mu).s_x;
    const LevelShape& level = f.level(mu);
    Coord<Int> tau;
    tau.x = side.take_digit(digits.x);
    tau.y = side.take_digit(digits.y);
    tau = apply(inverse(walk.symmetry), tau, side.value());
    const int replica = level.shape.replica_at[tau.y * side.value() + tau.x];
    if (replica < 0) {
      walk.present = false;
      return walk;
    }
    use(mu, replica);
    walk.symmetry = compose(walk.symmetry, level.symmetry[replica]);
  }
  return walk;
}

/// nu of a fractal with turned replicas.
template <typename Int>
LOOM_HOST_DEVICE CompactCoord<Int> turned_nu_map(const NbbTransform<Int>& f, int levels, Coord<Int> cell) {
  CompactCoord<Int> result;
  const TurnedWalk<Int> walk = walk_turned(f, levels, cell, [&](int mu, int replica) {
    const Int k = f.divisors(mu).k.value();
    if (mu & 1) {
      result.omega.x = result.omega.x * k + static_cast<Int>(replica);
    } else {
      result.omega.y = result.omega.y * k + static_cast<Int>(replica);
    }
  });
  result.present = walk.present;
  return result;
}

/// nu of any fractal.
template <typename Int>
LOOM_HOST_DEVICE CompactCoord<Int> nu_map(const NbbTransform<Int>& f, int levels, Coord<Int> cell) {
  if (f.is_uniform()) return uniform_nu_map(f, levels, cell);
  if (f.levels.kind == LevelKind::kMixed) return mixed_nu_map(f, levels, cell);
  return turned_nu_map(f, levels, cell);
}

/// The orientation of the content of `levels` levels at expanded coordinate `place`, which must not be a
/// hole: the identity unless replicas are turned.
template <typename Int>
LOOM_HOST_DEVICE Symmetry symmetry_at(const NbbTransform<Int>& f, int levels, Coord<Int> place) {
  if (f.levels.kind != LevelKind::kTurned) return Symmetry::kIdentity;
  return walk_turned(f, levels, place, [](int, int) {}).symmetry;
}

// Whether a point of [0, s_x^levels) x [0, s_y^levels) is a cell. Stops at the first level, from the finest,
// that has no replica there; if replicas are turned, from the coarsest. For the gasket, one bit test suffices
// ([lambda-2017]).

/// Membership in a uniform fractal.
template <typename Int>
LOOM_HOST_DEVICE bool uniform_is_member(const NbbTransform<Int>& f, int levels, Coord<Int> cell) {
  if (f.is_gasket) {
    const Int last = levels == static_cast<int>(sizeof(Int)) * 8 ? ~Int{0} : (Int{1} << levels) - 1;
    return (cell.x & (last - cell.y)) == 0;
  }
  for (int mu = 1; mu <= levels; ++mu) {
    const Int tau_x = f.s_x.take_digit(cell.x);
    const Int tau_y = f.s_y.take_digit(cell.y);
    if (f.shape.replica_at[tau_y * f.shape.s_x + tau_x] < 0) return false;
  }
  return true;
}

/// Membership in a fractal that is not uniform.
template <typename Int>
LOOM_HOST_DEVICE bool level_is_member(const NbbTransform<Int>& f, int levels, Coord<Int> cell) {
  if (f.levels.kind == LevelKind::kTurned) return walk_turned(f, levels, cell, [](int, int) {}).present;
  for (int mu = 1; mu <= levels; ++mu) {
    const LevelDivisors<Int>& by = f.divisors(mu);
    const Int tau_x = by.s_x.take_digit(cell.x);
    const Int tau_y = by.s_y.take_digit(cell.y);
    if ((f.level(mu).occupied >> (tau_y * by.s_x.value() + tau_x) & 1u) == 0) return false;
  }
  return true;
}

/// Membership in any fractal.
template <typename Int>
LOOM_HOST_DEVICE bool is_member(const NbbTransform<Int>& f, int levels, Coord<Int> cell) {
  return f.is_uniform() ? uniform_is_member(f, levels, cell) : level_is_member(f, levels, cell);
}

}  // namespace loom
