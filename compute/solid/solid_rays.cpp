#include "compute/solid/solid_rays.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "compute/core/error.h"

namespace loom {

std::string_view name_of(SolidColouring by) {
  static constexpr std::array<std::string_view, kSolidColourings.size()> kNames = {"state", "tile", "thread",
                                                                                   "warp", "address"};
  return kNames[static_cast<std::size_t>(by)];
}

namespace {

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
Region seen_pixels(const SolidView& view) {
  const Region all{0, 0, static_cast<std::uint32_t>(view.width), static_cast<std::uint32_t>(view.height)};
  const auto determinant = [](SolidVector a, SolidVector b, SolidVector c) {
    return double{a.x} * (double{b.y} * c.z - double{b.z} * c.y) +
           double{a.y} * (double{b.z} * c.x - double{b.x} * c.z) +
           double{a.z} * (double{b.x} * c.y - double{b.y} * c.x);
  };
  const bool is_perspective = PixelWidth::length(view.turn_right) > 0;
  const SolidVector forward = view.direction;
  const SolidVector across = is_perspective ? view.turn_right : view.right;
  const SolidVector down = is_perspective ? view.turn_down : view.down;
  const double whole = determinant(forward, across, down);
  if (whole == 0 || (is_perspective && PixelWidth::length(view.right) > 0)) return all;
  double low[2] = {1e9, 1e9};
  double high[2] = {-1e9, -1e9};
  for (int corner = 0; corner < 8; ++corner) {
    const SolidVector point = SolidVector{static_cast<float>((corner & 1) != 0 ? view.high.x : view.low.x),
                                          static_cast<float>((corner & 2) != 0 ? view.high.y : view.low.y),
                                          static_cast<float>((corner & 4) != 0 ? view.high.z : view.low.z)} +
                              -1 * view.origin;
    const double t = determinant(point, across, down) / whole;
    constexpr double kNear = 1e-3;  // behind the camera, or beside it
    if (is_perspective && t < kNear) return all;
    const double scale = whole * (is_perspective ? t : 1);
    const double place[2] = {determinant(forward, point, down) / scale,
                             determinant(forward, across, point) / scale};
    for (int i = 0; i < 2; ++i) {
      low[i] = std::min(low[i], place[i]);
      high[i] = std::max(high[i], place[i]);
    }
  }
  // A pixel more on each side, because the rays are computed with single precision.
  const auto pixel = [](double place, int most) {
    return static_cast<std::uint32_t>(std::clamp(place, 0.0, static_cast<double>(most)));
  };
  const std::uint32_t x = pixel(std::floor(low[0]) - 1, view.width);
  const std::uint32_t y = pixel(std::floor(low[1]) - 1, view.height);
  return {x, y, pixel(std::ceil(high[0]) + 2, view.width) - x,
          pixel(std::ceil(high[1]) + 2, view.height) - y};
}

SolidDigits::SolidDigits(const TiledSolid& tiled) {
  const Coord3 scale = tiled.transform.shape.scale;
  const int levels = tiled.level;
  if (levels > kMaxSolidViewLevel) return;
  x = digits_of(scale.x, tiled.size.x, levels, 0);
  y = digits_of(scale.y, tiled.size.y, levels, 2);
  z = digits_of(scale.z, tiled.size.z, levels, 4);
}

void check_view(const SolidConfig& config, const SolidView& view) {
  if (config.level > kMaxSolidViewLevel) {
    throw InputError(
        fmt::format("level {} has no picture; allowed: levels up to {}", config.level, kMaxSolidViewLevel));
  }
  const Coord3 size = config.fractal.size(config.level);
  const auto within = [](std::uint32_t low, std::uint32_t high, std::uint32_t side) {
    return low < high && high <= side;
  };
  if (view.width < 1 || view.height < 1 || !within(view.low.x, view.high.x, size.x) ||
      !within(view.low.y, view.high.y, size.y) || !within(view.low.z, view.high.z, size.z))
    throw InputError(
        "an empty picture or range of cells; allowed: at least one pixel and one layer of cells");
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
