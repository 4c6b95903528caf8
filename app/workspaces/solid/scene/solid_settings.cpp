#include "app/workspaces/solid/scene/solid_settings.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "app/settings/field_json.h"
#include "compute/backend/engine_factory.h"
#include "compute/backend/fastest_method.h"
#include "compute/core/coord.h"
#include "compute/core/input_text.h"
#include "compute/workload/rule_text.h"

namespace loom::app {
namespace {

constexpr int kFirstLevel = 3;
constexpr std::uint32_t kPreferredTileSize = 16;

}  // namespace

std::string_view name_of(CutAxis axis) {
  return value_for<CutAxis::kZ>({"none", "x", "y", "z"}, axis);
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

namespace {

using Row = FieldOf<SolidSettings>;

constexpr auto kRuleText = static_cast<std::string (*)(SolidRule)>(to_string);

constexpr Field<SolidSettings> pinned_field() {
  Field<SolidSettings> field =
      Row::other<&SolidSettings::pinned>({.label = "pinned cell", .in_lesson = true});
  // A lesson that pins no cell does not watch it.
  field.equal = [](const SolidSettings& before, const SolidSettings& after) {
    return !before.pinned || before.pinned == after.pinned;
  };
  return field;
}

constexpr std::array kFields = {
    Row::other<kMember<&SolidSettings::config, &SolidConfig::fractal>>(
        {.label = "fractal", .undo = "fractal", .in_lesson = true}),
    Row::whole<kMember<&SolidSettings::config, &SolidConfig::level>>(
        {.key = "level", .label = "level", .undo = "level", .in_lesson = true, .highest = 63}),
    Row::whole<kMember<&SolidSettings::config, &SolidConfig::tile_size>>({.key = "block",
                                                                          .label = "tile size",
                                                                          .undo = "method",
                                                                          .in_lesson = true,
                                                                          .lowest = 1,
                                                                          .highest = 1024}),
    Row::other<kMember<&SolidSettings::config, &SolidConfig::method, &MapMethod::map>>(
        {.label = "map", .undo = "map", .in_lesson = true}),
    Row::other<kMember<&SolidSettings::config, &SolidConfig::method>>({.undo = "method"}),
    Row::text<kMember<&SolidSettings::work, &SolidWork::rule>, parse_solid_rule, kRuleText>(
        {.key = "rule", .label = "rule", .undo = "rule"}),
    Row::whole<kMember<&SolidSettings::start, &RandomStart::seed>>(
        {.key = "seed", .label = "seed", .highest = std::numeric_limits<std::uint64_t>::max()}),
    Row::real<kMember<&SolidSettings::start, &RandomStart::density>>(
        {.key = "density", .label = "density", .highest = 1}),
    Row::on_off<&SolidSettings::playing>({.key = "playing"}),
    Row::on_off<kMember<&SolidSettings::look, &SolidLook::living_only>>(
        {.key = "living_only", .undo = "visible cells"}),
    Row::choice<kMember<&SolidSettings::look, &SolidLook::cut_axis>, kCutAxes>(
        {.key = "cut_axis", .undo = "cut plane"}),
    Row::real<kMember<&SolidSettings::look, &SolidLook::cut>>(
        {.key = "cut", .undo = "cut plane", .highest = 1}),
    Row::on_off<kMember<&SolidSettings::look, &SolidLook::slice>>({.key = "slice", .undo = "cut plane"}),
    Row::choice<kMember<&SolidSettings::look, &SolidLook::colouring>, kSolidColourings>(
        {.key = "colour_by", .undo = "colouring"}),
    Row::on_off<kMember<&SolidSettings::look, &SolidLook::empty_tiles>>(
        {.key = "empty_tiles", .undo = "empty tiles"}),
    Row::on_off<&SolidSettings::compare>(
        {.key = "compare", .label = "comparison", .undo = "comparison", .in_lesson = true}),
    Row::on_off<&SolidSettings::show_thread>({.key = "show_thread"}),
    pinned_field(),
    Row::on_off<&SolidSettings::edit_cells>({.key = "edit_cells", .in_scene = false}),
};

}  // namespace

std::span<const Field<SolidSettings>> solid_fields() {
  return kFields;
}

// A new fractal or level also changes tile size and method.
std::string_view changed_setting(const SolidSettings& before, const SolidSettings& after) {
  const auto names = changed_undo_names(solid_fields(), before, after);
  return names.empty() ? std::string_view() : names.front();
}

void set_level(SolidConfig& config, int level) {
  config.level = std::clamp(level, 0, std::min(kMaxSolidViewLevel, config.fractal.max_level()));
  config.tile_size = nearest_tile_size(config.fractal, config.level, kPreferredTileSize);
}

void set_fractal(SolidConfig& config, const SolidFractal& fractal) {
  config.fractal = fractal;
  config.method.tiles = 0;
  set_level(config, start_level(fractal, kFirstLevel + 3));
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

SolidView view_of(const SolidConfig& config, const SolidLook& look, const SolidCamera& camera,
                  glm::ivec2 picture) {
  const Coord3 size = config.fractal.size(config.level);
  SolidView view = camera.view(size, picture);
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

namespace {

constexpr float kHalfTangent = 0.36f;  ///< of half the field of view, 40 degrees
constexpr float kNearest = 0.02f;
constexpr float kFarthest = 20;
constexpr float kFarthestTarget = 1.5f;
constexpr float kRadius = 0.9f;  ///< of a ball around the cube
constexpr glm::vec3 kRight{1, 0, 0};
constexpr glm::vec3 kDown{0, 1, 0};
constexpr glm::vec3 kForward{0, 0, 1};

/// The field of view is that of the shorter side, so that a narrow pane shows the whole cube too.
float shorter_side(glm::ivec2 picture) {
  return static_cast<float>(std::min(picture.x, picture.y));
}

SolidVector vector_of(const glm::vec3& v) {
  return {v.x, v.y, v.z};
}

}  // namespace

glm::quat SolidCamera::initial_orientation() {
  return glm::angleAxis(0.6f, kDown) * glm::angleAxis(-0.45f, kRight);
}

float SolidCamera::unit(glm::ivec2 picture) const {
  return 2 * kHalfTangent * distance / shorter_side(picture);
}

void SolidCamera::orbit(glm::vec2 drag) {
  constexpr float kTurn = 3.1415927f;
  orientation = glm::normalize(glm::angleAxis(drag.x * kTurn, kDown) * orientation);
  const glm::quat tilted = glm::normalize(orientation * glm::angleAxis(-drag.y * kTurn, kRight));
  // The picture does not turn over.
  if ((tilted * kDown).y > 0) orientation = tilted;
}

void SolidCamera::pan(glm::vec2 pixels, glm::ivec2 picture) {
  const glm::vec2 move = pixels * unit(picture);
  target -= orientation * (kRight * move.x + kDown * move.y);
  target = glm::clamp(target, -kFarthestTarget, kFarthestTarget);
}

void SolidCamera::zoom(float factor, glm::vec2 pixel, glm::ivec2 picture) {
  const glm::vec2 from_centre = (pixel - glm::vec2(picture) / 2.0f) * unit(picture);
  const float before = distance;
  distance = std::clamp(distance / factor, kNearest, kFarthest);
  const float moved = 1 - distance / before;
  target += orientation * (kRight * from_centre.x + kDown * from_centre.y) * moved;
  target = glm::clamp(target, -kFarthestTarget, kFarthestTarget);
}

SolidView SolidCamera::view(Coord3 size, glm::ivec2 picture) const {
  const glm::vec3 sides(size.x, size.y, size.z);
  const float side = std::max({sides.x, sides.y, sides.z});
  const glm::vec3 right = orientation * kRight;
  const glm::vec3 down = orientation * kDown;
  const glm::vec3 forward = orientation * kForward;
  const glm::vec3 middle = sides / 2.0f + target * side;
  // The ray of the first pixel goes through its centre.
  const glm::vec2 first = 0.5f - glm::vec2(picture) / 2.0f;
  SolidView view;
  view.width = picture.x;
  view.height = picture.y;
  view.high = size;
  if (perspective) {
    const float turn = 2 * kHalfTangent / shorter_side(picture);
    view.origin = vector_of(middle - forward * distance * side);
    view.direction = vector_of(forward + (right * first.x + down * first.y) * turn);
    view.turn_right = vector_of(right * turn);
    view.turn_down = vector_of(down * turn);
    view.nearest = std::max(0.0f, distance - kRadius) * side;
    view.farthest = (distance + kRadius) * side;
    return view;
  }
  const float pixel = unit(picture) * side;
  const float back = kFarthestTarget + 2 * kRadius;  // in front of every cell
  view.origin = vector_of(middle - forward * back * side + (right * first.x + down * first.y) * pixel);
  view.right = vector_of(right * pixel);
  view.down = vector_of(down * pixel);
  view.direction = vector_of(forward);
  view.nearest = (back - kRadius) * side;
  view.farthest = (back + kRadius) * side;
  return view;
}

std::optional<glm::vec2> SolidCamera::project(glm::vec3 point, Coord3 size, glm::ivec2 picture) const {
  const glm::vec3 sides(size.x, size.y, size.z);
  const float side = std::max({sides.x, sides.y, sides.z});
  // As the camera sees it, in sides of the cube.
  const glm::vec3 seen = glm::conjugate(orientation) * ((point - sides / 2.0f) / side - target);
  const glm::vec2 centre = glm::vec2(picture) / 2.0f;
  const glm::vec2 across(seen.x, seen.y);
  if (!perspective) return centre + across / unit(picture);
  const float depth = seen.z + distance;
  if (depth <= kNearest / 10) return std::nullopt;
  return centre + across * (distance / depth) / unit(picture);
}

}  // namespace loom::app
