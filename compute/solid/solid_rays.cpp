#include "compute/solid/solid_rays.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace loom {
namespace {

using Vector = std::array<double, 3>;

Vector vector_of(SolidVector v) {
  return {v.x, v.y, v.z};
}
double dot(const Vector& a, const Vector& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
Vector cross(const Vector& a, const Vector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// The digits of the numbers below s^levels in base s, two bits each, six bits apart, shifted by `shift`.
std::vector<std::uint64_t> digits_of(std::uint32_t scale, std::uint32_t count, int levels, int shift) {
  std::vector<std::uint64_t> digits(count);
  for (std::uint32_t number = 0; number < count; ++number) {
    std::uint32_t rest = number;
    for (int mu = 0; mu < levels; ++mu) {
      digits[number] |= std::uint64_t{rest % scale} << (6 * mu + shift);
      rest /= scale;
    }
  }
  return digits;
}

}  // namespace

// A corner is origin + t (direction + i turn_right + j turn_down) in perspective, else
// origin + i right + j down + t direction: three linear equations, solved by Cramer's rule.
SeenPixels::SeenPixels(const SolidView& view) : right(view.width), bottom(view.height) {
  const bool is_perspective = PixelWidth::length(view.turn_right) > 0;
  const Vector forward = vector_of(view.direction);
  const Vector across = vector_of(is_perspective ? view.turn_right : view.right);
  const Vector down = vector_of(is_perspective ? view.turn_down : view.down);
  const double determinant = dot(forward, cross(across, down));
  if (determinant == 0 || (is_perspective && PixelWidth::length(view.right) > 0)) return;
  double low[2] = {1e9, 1e9};
  double high[2] = {-1e9, -1e9};
  for (int corner = 0; corner < 8; ++corner) {
    const Vector point = {static_cast<double>((corner & 1) != 0 ? view.high.x : view.low.x) - view.origin.x,
                          static_cast<double>((corner & 2) != 0 ? view.high.y : view.low.y) - view.origin.y,
                          static_cast<double>((corner & 4) != 0 ? view.high.z : view.low.z) - view.origin.z};
    const double t = dot(point, cross(across, down)) / determinant;
    constexpr double kNear = 1e-3;  // behind the camera, or beside it
    if (is_perspective && t < kNear) return;
    const double scale = is_perspective ? 1 / t : 1;
    const double place[2] = {dot(point, cross(down, forward)) / determinant * scale,
                             dot(point, cross(forward, across)) / determinant * scale};
    for (int i = 0; i < 2; ++i) {
      low[i] = std::min(low[i], place[i]);
      high[i] = std::max(high[i], place[i]);
    }
  }
  // A pixel more on each side, because the rays are computed with single precision.
  const auto pixel = [](double place, int most) {
    return static_cast<int>(std::clamp(place, 0.0, static_cast<double>(most)));
  };
  left = pixel(std::floor(low[0]) - 1, view.width);
  right = pixel(std::ceil(high[0]) + 2, view.width);
  top = pixel(std::floor(low[1]) - 1, view.height);
  bottom = pixel(std::ceil(high[1]) + 2, view.height);
}

SolidDigits::SolidDigits(const TiledSolid& tiled) {
  const Coord3 scale = tiled.transform.shape.scale;
  const int levels = tiled.level;
  if (levels > kMaxSolidViewLevel) return;
  x = digits_of(scale.x, tiled.size.x, levels, 0);
  y = digits_of(scale.y, tiled.size.y, levels, 2);
  z = digits_of(scale.z, tiled.size.z, levels, 4);
}

SolidScene make_solid_scene(const SolidMap& map, const SolidLaunch& launch, const SolidDigits& digits) {
  SolidScene scene;
  scene.map = map;
  scene.launch = launch;
  scene.digits_x = digits.x.data();
  scene.digits_y = digits.y.data();
  scene.digits_z = digits.z.data();
  const SolidShape& shape = map.tiled.transform.shape;
  for (std::uint32_t b = 0; b < shape.k; ++b)
    scene.replicas |= std::uint64_t{1}
                      << (shape.offset_x[b] + 4 * shape.offset_y[b] + 16 * shape.offset_z[b]);
  return scene;
}

}  // namespace loom
