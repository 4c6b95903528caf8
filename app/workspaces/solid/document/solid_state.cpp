#include "app/workspaces/solid/document/solid_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/settings/field_json.h"
#include "compute/core/error.h"
#include "compute/map/map_method.h"
#include "compute/workload/rule_text.h"

namespace loom::app {
namespace {

using scene::Json;

Json numbers_of(std::initializer_list<float> values) {
  Json json = Json::array();
  for (const float value : values) json.push_back(value);
  return json;
}

template <std::size_t kCount>
std::array<float, kCount> read_list(const JsonReader& json, const char* key) {
  const Json& list = json.array(key);
  std::array<float, kCount> values{};
  bool valid = list.size() == kCount;
  for (std::size_t i = 0; valid && i < kCount; ++i) {
    valid = list[i].is_number() && std::abs(list[i].get<double>()) < 1e6;
    if (valid) values[i] = list[i].get<float>();
  }
  if (!valid) throw InputError(fmt::format("{} is not a list of {} numbers", json.path(key), kCount));
  return values;
}

/// Whole numbers from 0 to 2^32 - 1.
template <std::size_t kCount>
std::array<std::uint32_t, kCount> read_coordinates(const Json& list, const std::string& where) {
  std::array<std::uint32_t, kCount> values{};
  bool valid = list.is_array() && list.size() == kCount;
  for (std::size_t i = 0; valid && i < kCount; ++i) {
    valid = list[i].is_number_unsigned() && list[i].get<std::uint64_t>() <= 0xffffffffu;
    if (valid) values[i] = list[i].get<std::uint32_t>();
  }
  if (!valid) throw InputError(fmt::format("{} has no list of {} whole numbers", where, kCount));
  return values;
}

Coord3 read_point(const Json& list, const std::string& where) {
  const auto [x, y, z] = read_coordinates<3>(list, where);
  return {x, y, z};
}

SolidFractal read_fractal(const JsonReader& json) {
  if (json.any("fractal").is_string()) {
    const std::string name = json.text("fractal");
    if (const SolidFractal* const found = find_solid(name)) return *found;
    throw InputError(fmt::format("{}: unknown fractal '{}'", json.path("fractal"), name));
  }
  const JsonReader own = json.object("fractal");
  std::vector<Coord3> offsets;
  for (const Json& entry : own.array("offsets")) offsets.push_back(read_point(entry, own.path("offsets")));
  return SolidFractal(own.text("name"), read_point(own.array("scale"), own.path("scale")), offsets);
}

Json fractal_json(const SolidFractal& fractal) {
  if (const SolidFractal* const built_in = find_solid(fractal.name()); built_in && *built_in == fractal)
    return fractal.name();
  const Coord3 scale = fractal.shape().scale;
  Json offsets = Json::array();
  for (const Coord3& at : fractal.offsets()) offsets.push_back({at.x, at.y, at.z});
  return {{"name", fractal.name()}, {"scale", {scale.x, scale.y, scale.z}}, {"offsets", offsets}};
}

}  // namespace

Json to_json(const SolidCamera& camera) {
  const glm::quat& q = camera.orientation;
  return {{"orientation", numbers_of({q.w, q.x, q.y, q.z})},
          {"target", numbers_of({camera.target.x, camera.target.y, camera.target.z})},
          {"distance", camera.distance},
          {"perspective", camera.perspective}};
}

SolidCamera read_camera(const JsonReader& json) {
  SolidCamera camera;
  const auto q = read_list<4>(json, "orientation");
  const float length = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  if (!(length > 1e-3f)) throw InputError(json.path("orientation") + " is no rotation");
  camera.orientation = glm::quat(q[0] / length, q[1] / length, q[2] / length, q[3] / length);
  const auto target = read_list<3>(json, "target");
  camera.target = {target[0], target[1], target[2]};
  camera.distance = static_cast<float>(json.number("distance"));
  if (!(camera.distance > 0)) throw InputError(json.path("distance") + " is not above 0");
  camera.perspective = json.yes_no("perspective");
  return camera;
}

Json SolidState::to_json(const scene::WriteContext&) const {
  // What selects the field comes first in files.
  Json json{{"fractal", fractal_json(settings.config.fractal)}, {"level", nullptr}, {"block", nullptr}};
  add_fields(json, method_fields(), settings.config.method, &FieldInfo::in_scene);
  add_fields(json, solid_fields(), settings, &FieldInfo::in_scene);
  json["pinned"] = nullptr;
  if (settings.pinned) json["pinned"] = {settings.pinned->x, settings.pinned->y, settings.pinned->z};
  json["camera"] = loom::app::to_json(camera);
  json["runs"] = Json::array();
  bool only_edits = false;
  for (const CellSourceOf<3>& step : cells.steps_from(cells.beginning())) {
    if (step.times() == 0 && step.edits().empty()) continue;
    if (!only_edits) json["runs"].push_back(Json::object());
    Json& run = json["runs"].back();
    run["rule"] = to_string(step.work().rule);
    run["generations"] = step.times();
    for (const SolidEdit& edit : step.edits())
      run["edits"].push_back({edit.cell.x, edit.cell.y, edit.cell.z, edit.state});
    only_edits = step.times() == 0;
  }
  return json;
}

std::string SolidState::description() const {
  return fmt::format("{}, level {}, generation {}", settings.config.fractal.name(), settings.config.level,
                     cells.generation());
}

std::string SolidState::file_stem() const {
  return fmt::format("{}-level-{}", settings.config.fractal.name(), settings.config.level);
}

scene::StatePtr SolidState::read(const JsonReader& json, const scene::ReadContext&) {
  auto state = std::make_shared<SolidState>();
  SolidSettings& own = state->settings;
  own.config.fractal = read_fractal(json);
  for (const Field<SolidSettings>& field : solid_fields()) {
    if (!field.key.empty() && field.in_scene) json.any(std::string(field.key).c_str());  // needed
  }
  json.any("map");
  read_fields(json, method_fields(), own.config.method);
  read_fields(json, solid_fields(), own);
  validate(own.config);
  if (own.config.level > kMaxSolidViewLevel)
    throw InputError(
        fmt::format("{} has no picture; allowed: up to {}", json.path("level"), kMaxSolidViewLevel));
  if (!json.is_null("pinned")) {
    const Coord3 cell = read_point(json.any("pinned"), json.path("pinned"));
    own.pinned = cell;
    const Coord3 size = own.config.fractal.size(own.config.level);
    if (cell.x >= size.x || cell.y >= size.y || cell.z >= size.z)
      throw InputError(json.path("pinned") + " is outside of the cube");
  }
  state->camera = read_camera(json.object("camera"));
  CellSourceOf<3>& cells = state->cells;
  cells = CellSourceOf<3>(own.start);
  constexpr std::uint64_t kMostGenerations = std::uint64_t{1} << 40;
  for (const Json& entry : json.array("runs")) {
    const JsonReader run(entry, json.path("runs"));
    const auto generations = run.whole<std::uint64_t>("generations");
    if (generations > kMostGenerations) throw InputError(run.where() + " has too many generations");
    if (run.has("edits")) {
      std::vector<SolidEdit> edits;
      for (const Json& edit : run.array("edits")) {
        const auto values = read_coordinates<4>(edit, run.path("edits"));
        if (values[3] > 1) throw InputError(run.path("edits") + " has a state that is neither 0 nor 1");
        edits.push_back({{values[0], values[1], values[2]}, values[3] == 1});
      }
      cells.edit(std::move(edits));
    }
    cells.run(generations, {.rule = parse_solid_rule(run.text("rule"))});
  }
  return state;
}

Json SolidState::read_place(const JsonReader& json) {
  return loom::app::to_json(read_camera(json));
}

std::string SolidState::describe_place(const Json& place) {
  const SolidCamera camera = read_camera(JsonReader(place, "place"));
  return fmt::format("3-D view, distance {:.3g}", camera.distance);
}

}  // namespace loom::app
