#pragma once

#include <cstdint>

#include "compute/core/coord3.h"
#include "compute/core/fast_divisor.h"
#include "compute/core/host_device.h"
#include "compute/solid/solid_shape.h"

namespace loom {

/// A three-dimensional fractal with the divisors that split its coordinates into digits.
struct SolidTransform {
  SolidShape shape;
  FastDivisor<std::uint32_t> k;
  FastDivisor<std::uint32_t> s_x;
  FastDivisor<std::uint32_t> s_y;
  FastDivisor<std::uint32_t> s_z;

  SolidTransform() = default;
  explicit SolidTransform(const SolidShape& nbb)
      : shape(nbb), k(nbb.k), s_x(nbb.scale.x), s_y(nbb.scale.y), s_z(nbb.scale.z) {}
};

/// lambda in three dimensions: compact -> expanded. `omega` is in the k^ceil(levels/3) x k^ceil((levels-1)/3)
/// x k^floor(levels/3) orthotope; the result is in [0, s_x^levels) x [0, s_y^levels) x [0, s_z^levels) and
/// never a hole. Levels mu = 1, 2, 3, ... (1 is the finest) are digits of omega.x, omega.y and omega.z in
/// turn, in base k. Exact. Source: the extension of [lambda-2020] eqs. 4-9 in docs/explanation/maps.md.
LOOM_HOST_DEVICE Coord3 lambda_map(const SolidTransform& f, int levels, Coord3 omega) {
  Coord3 cell;
  Coord3 weight{1, 1, 1};
  const auto add_level = [&](std::uint32_t& digits) {
    const std::uint32_t beta = f.k.take_digit(digits);
    cell.x += weight.x * f.shape.offset_x[beta];
    cell.y += weight.y * f.shape.offset_y[beta];
    cell.z += weight.z * f.shape.offset_z[beta];
    weight.x *= f.shape.scale.x;
    weight.y *= f.shape.scale.y;
    weight.z *= f.shape.scale.z;
  };
  for (int mu = 1; mu <= levels; mu += 3) {
    add_level(omega.x);
    if (mu + 1 <= levels) add_level(omega.y);
    if (mu + 2 <= levels) add_level(omega.z);
  }
  return cell;
}

/// A compact coordinate, or nothing if the expanded point is a hole; `omega` is then unspecified.
struct CompactCoord3 {
  Coord3 omega;
  bool present = false;
};

/// nu, the inverse of lambda: expanded -> compact, or nothing for a hole. `cell` is in [0, s_x^levels) x [0,
/// s_y^levels) x [0, s_z^levels). Exact. Source: the extension of [compact] eqs. 2-8.
LOOM_HOST_DEVICE CompactCoord3 nu_map(const SolidTransform& f, int levels, Coord3 cell) {
  CompactCoord3 result;
  std::uint32_t weight = 1;
  int holes = 0;  // negative once some level has no replica at this point
  const auto take_level = [&](std::uint32_t& digits) {
    const std::uint32_t x = f.s_x.take_digit(cell.x);
    const std::uint32_t y = f.s_y.take_digit(cell.y);
    const std::uint32_t z = f.s_z.take_digit(cell.z);
    const int replica = f.shape.replica(x, y, z);
    holes |= replica;
    digits += weight * static_cast<std::uint32_t>(replica);
  };
  for (int mu = 1; mu <= levels; mu += 3) {
    take_level(result.omega.x);
    if (mu + 1 <= levels) take_level(result.omega.y);
    if (mu + 2 <= levels) take_level(result.omega.z);
    if (holes < 0) return result;
    weight *= f.shape.k;
  }
  result.present = true;
  return result;
}

/// Whether a point of [0, s_x^levels) x [0, s_y^levels) x [0, s_z^levels) is a cell. Stops at the first
/// level, from the finest, that has no replica there.
LOOM_HOST_DEVICE bool is_member(const SolidTransform& f, int levels, Coord3 cell) {
  for (int mu = 1; mu <= levels; ++mu) {
    const std::uint32_t x = f.s_x.take_digit(cell.x);
    const std::uint32_t y = f.s_y.take_digit(cell.y);
    const std::uint32_t z = f.s_z.take_digit(cell.z);
    if (f.shape.replica(x, y, z) < 0) return false;
  }
  return true;
}

}  // namespace loom
