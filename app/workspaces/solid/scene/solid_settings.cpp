#include "app/workspaces/solid/scene/solid_settings.h"

#include <algorithm>
#include <cmath>

#include "compute/backend/fastest_method.h"
#include "compute/backend/solid_factory.h"
#include "compute/core/coord3.h"
#include "compute/core/named_choice.h"

namespace loom::app {
namespace {

constexpr int kFirstLevel = 3;
constexpr std::uint32_t kPreferredTileSize = 16;

}  // namespace

std::string_view name_of(CutAxis axis) {
  switch (axis) {
    case CutAxis::kNone:
      return "none";
    case CutAxis::kX:
      return "x";
    case CutAxis::kY:
      return "y";
    case CutAxis::kZ:
      return "z";
  }
  return "unknown";
}

CutAxis parse_cut_axis(std::string_view name) {
  return parse_choice("cut axis", name, kCutAxes);
}

SolidSettings default_solid_settings() {
  const SolidFractal& fractal = solid_catalog().front();
  SolidSettings settings{.config = {.fractal = fractal,
                                    .level = kFirstLevel,
                                    .tile_size = nearest_tile_size(fractal, kFirstLevel, kPreferredTileSize),
                                    .method = fastest_solid_method(MapKind::kCompact)}};
  settings.start.density = 0.3;
  return settings;
}

int solid_start_level(const SolidFractal& fractal) {
  constexpr int kHighest = 9;
  constexpr std::uint64_t kPoints = std::uint64_t{1} << 20;
  int level = 0;
  while (level < kHighest && level < fractal.max_level() && volume(fractal.size(level + 1)) <= kPoints)
    ++level;
  return level;
}

std::string_view changed_setting(const SolidSettings& before, const SolidSettings& after) {
  const SolidConfig& was = before.config;
  const SolidConfig& is = after.config;
  if (was.fractal != is.fractal) return "fractal";
  if (was.level != is.level) return "level";
  if (was.method.map != is.method.map) return "map";
  if (was != is) return "method";
  if (before.work != after.work) return "rule";
  if (before.living_only != after.living_only) return "visible cells";
  if (before.cut_axis != after.cut_axis || before.cut != after.cut) return "cut plane";
  return {};
}

void set_level(SolidConfig& config, int level) {
  config.level = std::clamp(level, 0, std::min(kMaxSolidViewLevel, config.fractal.max_level()));
  config.tile_size = nearest_tile_size(config.fractal, config.level, kPreferredTileSize);
}

void set_fractal(SolidConfig& config, const SolidFractal& fractal) {
  config.fractal = fractal;
  config.method.tiles = 0;
  set_level(config, std::min(kFirstLevel + 3, solid_start_level(fractal)));
}

void set_map(SolidConfig& config, MapKind map) {
  config.method = fastest_solid_method(map);
}

SolidView view_of(const SolidSettings& settings, const SolidCamera& camera, glm::ivec2 picture) {
  const Coord3 size = settings.config.fractal.size(settings.config.level);
  SolidView view = camera.view(size, picture);
  view.living_only = settings.living_only;
  const auto first = [&](std::uint32_t side) {
    const auto layer = static_cast<std::uint32_t>(std::lround(settings.cut * static_cast<float>(side)));
    return std::min(layer, side - 1);
  };
  if (settings.cut_axis == CutAxis::kX) view.low.x = first(size.x);
  if (settings.cut_axis == CutAxis::kY) view.low.y = first(size.y);
  if (settings.cut_axis == CutAxis::kZ) view.low.z = first(size.z);
  return view;
}

}  // namespace loom::app
