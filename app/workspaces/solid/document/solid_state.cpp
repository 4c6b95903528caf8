#include "app/workspaces/solid/document/solid_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/settings/field_json.h"
#include "compute/core/error.h"
#include "compute/map/method_fields.h"

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

SolidFractal read_fractal(const JsonReader& json) {
  if (json.any("fractal").is_string()) {
    const std::string name = json.text("fractal");
    if (const SolidFractal* const found = find_solid(name)) return *found;
    throw InputError(fmt::format("{}: unknown fractal '{}'", json.path("fractal"), name));
  }
  const JsonReader own = json.object("fractal");
  const auto scale = read_list<3>(own, "scale");
  std::vector<Coord3> offsets;
  const auto whole = [&](const Json& value) {
    if (!value.is_number_unsigned()) throw InputError(own.path("offsets") + " has no whole numbers");
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(value.get<std::uint64_t>(), 1000));
  };
  for (const Json& entry : own.array("offsets")) {
    if (!entry.is_array() || entry.size() != 3) throw InputError(own.path("offsets") + " has no triples");
    offsets.push_back({whole(entry[0]), whole(entry[1]), whole(entry[2])});
  }
  const auto side = [](float value) {
    return value >= 1 && value <= 4 ? static_cast<std::uint32_t>(value) : 0;
  };
  return SolidFractal(own.text("name"), {side(scale[0]), side(scale[1]), side(scale[2])}, offsets);
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

void add_run(std::vector<SolidRun>& runs, SolidRule rule, std::uint64_t generations) {
  if (generations == 0) return;
  if (runs.empty() || runs.back().rule != rule) runs.push_back({rule, 0});
  runs.back().generations += generations;
}

Json SolidState::to_json(const scene::WriteContext&) const {
  Json json;
  json["fractal"] = fractal_json(settings.config.fractal);
  json["level"] = settings.config.level;
  json["block"] = settings.config.tile_size;
  add_fields(json, method_fields(), settings.config.method, &FieldInfo::in_scene);
  json["rule"] = to_string(settings.work.rule);
  json["seed"] = settings.start.seed;
  json["density"] = settings.start.density;
  json["playing"] = settings.playing;
  json["living_only"] = settings.living_only;
  json["cut_axis"] = name_of(settings.cut_axis);
  json["cut"] = settings.cut;
  json["camera"] = loom::app::to_json(camera);
  json["runs"] = Json::array();
  for (const SolidRun& run : runs)
    json["runs"].push_back({{"rule", to_string(run.rule)}, {"generations", run.generations}});
  return json;
}

std::string SolidState::description() const {
  std::uint64_t generation = 0;
  for (const SolidRun& run : runs) generation += run.generations;
  return fmt::format("{}, level {}, generation {}", settings.config.fractal.name(), settings.config.level,
                     generation);
}

std::string SolidState::file_stem() const {
  return fmt::format("{}-level-{}", settings.config.fractal.name(), settings.config.level);
}

scene::StatePtr SolidFormat::read(const JsonReader& json, const scene::ReadContext&) const {
  auto state = std::make_shared<SolidState>();
  SolidSettings& own = state->settings;
  own.config.fractal = read_fractal(json);
  own.config.level = json.level("level");
  own.config.tile_size = json.whole<std::uint32_t>("block");
  json.any("map");  // needed
  read_fields(json, method_fields(), own.config.method);
  validate(own.config);
  if (own.config.level > kMaxSolidViewLevel)
    throw InputError(
        fmt::format("{} has no picture; allowed: up to {}", json.path("level"), kMaxSolidViewLevel));
  own.work.rule = parse_solid_rule(json.text("rule"));
  own.start.seed = json.whole<std::uint64_t>("seed");
  own.start.density = json.number("density");
  if (own.start.density > 1) throw InputError(json.path("density") + " is above 1");
  own.playing = json.yes_no("playing");
  own.living_only = json.yes_no("living_only");
  own.cut_axis = parse_cut_axis(json.text("cut_axis"));
  own.cut = static_cast<float>(json.number("cut"));
  if (own.cut > 1) throw InputError(json.path("cut") + " is above 1");
  state->camera = read_camera(json.object("camera"));
  constexpr std::uint64_t kMostGenerations = std::uint64_t{1} << 40;
  for (const Json& entry : json.array("runs")) {
    const JsonReader run(entry, json.path("runs"));
    const auto generations = run.whole<std::uint64_t>("generations");
    if (generations > kMostGenerations) throw InputError(run.where() + " has too many generations");
    add_run(state->runs, parse_solid_rule(run.text("rule")), generations);
  }
  return state;
}

Json SolidFormat::read_place(const JsonReader& json) const {
  return to_json(read_camera(json));
}

std::string SolidFormat::describe_place(const Json& place) const {
  const SolidCamera camera = read_camera(JsonReader(place, "place"));
  return fmt::format("3-D view, distance {:.3g}", camera.distance);
}

}  // namespace loom::app
