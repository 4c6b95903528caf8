#include "compute/solid/solid_rays.h"

#include <fmt/format.h>

#include "compute/core/error.h"
#include "compute/core/input_text.h"

namespace loom {

std::string_view name_of(SolidColouring by) {
  static constexpr std::array<std::string_view, kSolidColourings.size()> kNames = {"state", "tile", "thread",
                                                                                   "warp", "address"};
  return kNames[static_cast<std::size_t>(by)];
}

SolidColouring parse_solid_colouring(std::string_view name) {
  return parse_choice("colour", name, kSolidColourings);
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
