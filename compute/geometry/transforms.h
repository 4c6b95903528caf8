#pragma once

#include <cstdint>

#include "compute/core/coord.h"
#include "compute/core/fast_divisor.h"
#include "compute/core/host_device.h"
#include "compute/geometry/nbb_fractal.h"

namespace loom {

/// A fractal with the divisors that split its coordinates into digits. Int is uint32_t if every coordinate of
/// the level fits in 32 bits (TiledFractal::fits_32_bits), otherwise uint64_t.
template <typename Int>
struct NbbTransform {
  NbbShape shape;
  FastDivisor<Int> k;
  FastDivisor<Int> s_x;
  FastDivisor<Int> s_y;
  bool is_gasket = false;  ///< whether the offsets are those of the Sierpinski gasket, in any order

  NbbTransform() = default;
  explicit NbbTransform(const NbbShape& nbb) : shape(nbb), k(nbb.k), s_x(nbb.s_x), s_y(nbb.s_y) {
    is_gasket = nbb.k == 3 && nbb.s_x == 2 && nbb.s_y == 2 && nbb.replica_at[1] < 0;
  }
};

/// lambda: compact -> expanded. `omega` is in the k^ceil(levels/2) x k^floor(levels/2) orthotope; the result
/// is in [0, s_x^levels) x [0, s_y^levels) and never a hole. Odd levels mu = 1, 3, ... (1 is the finest) are
/// digits of omega.x, even levels digits of omega.y, in base k. Exact. Source: [lambda-2020] eqs. 4-9, 14-17.
template <typename Int>
LOOM_HOST_DEVICE Coord<Int> lambda_map(const NbbTransform<Int>& f, int levels, Coord<Int> omega) {
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

/// A compact coordinate, or nothing if the expanded point is a hole; `omega` is then unspecified.
template <typename Int>
struct CompactCoord {
  Coord<Int> omega;
  bool present = false;
};

/// nu, the inverse of lambda: expanded -> compact, or nothing for a hole. `cell` is in [0, s_x^levels) x [0,
/// s_y^levels). Exact. Source: [compact] eqs. 2-8.
template <typename Int>
LOOM_HOST_DEVICE CompactCoord<Int> nu_map(const NbbTransform<Int>& f, int levels, Coord<Int> cell) {
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

/// Whether a point of [0, s_x^levels) x [0, s_y^levels) is a cell. Stops at the first level, from the finest,
/// that has no replica there. For the gasket, one bit test suffices ([lambda-2017]).
template <typename Int>
LOOM_HOST_DEVICE bool is_member(const NbbTransform<Int>& f, int levels, Coord<Int> cell) {
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

}  // namespace loom
