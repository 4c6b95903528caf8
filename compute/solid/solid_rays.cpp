#include "compute/solid/solid_rays.h"

namespace loom {
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
