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
  const SolidLook& looked = before.look;
  const SolidLook& looks = after.look;
  if (looked.living_only != looks.living_only) return "visible cells";
  if (looked.colouring != looks.colouring) return "colouring";
  if (looked.empty_tiles != looks.empty_tiles) return "empty tiles";
  if (looked != looks) return "cut plane";
  if (before.compare != after.compare) return "comparison";
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

SolidConfig compared_config(const SolidConfig& active, MapKind map) {
  if (active.method.map == map) return active;
  SolidConfig config = active;
  // The bounding box has no arithmetic that the others could take over.
  if (map == MapKind::kBoundingBox || active.method.map == MapKind::kBoundingBox) {
    set_map(config, map);
    return config;
  }
  config.method.map = map;
  config.method.halo = fastest_solid_method(map).halo;
  config.method.tiles = 0;
  return config;
}

SolidView view_of(const SolidSettings& settings, const SolidCamera& camera, glm::ivec2 picture) {
  const Coord3 size = settings.config.fractal.size(settings.config.level);
  SolidView view = camera.view(size, picture);
  const SolidLook& look = settings.look;
  view.living_only = look.living_only;
  view.colouring = look.colouring;
  view.empty_tiles = look.empty_tiles;
  const auto cut = [&](std::uint32_t side, std::uint32_t& low, std::uint32_t& high) {
    const auto layer = static_cast<std::uint32_t>(std::lround(look.cut * static_cast<float>(side)));
    low = std::min(layer, side - 1);
    if (look.slice) high = low + 1;
  };
  if (look.cut_axis == CutAxis::kX) cut(size.x, view.low.x, view.high.x);
  if (look.cut_axis == CutAxis::kY) cut(size.y, view.low.y, view.high.y);
  if (look.cut_axis == CutAxis::kZ) cut(size.z, view.low.z, view.high.z);
  return view;
}

}  // namespace loom::app
