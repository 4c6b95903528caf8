#include "app/document/scene/scene_part_json.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "compute/core/error.h"

namespace loom::app::scene {

using Json = nlohmann::ordered_json;

namespace {

constexpr std::size_t kMaxFractalNameBytes = 64;

}  // namespace

namespace {

Json to_json(const Generator& generator) {
  Json json{{"s_x", generator.s_x}, {"s_y", generator.s_y}};
  json["offsets"] = Json::array();
  for (const Coord32& at : generator.offsets) json["offsets"].push_back({at.x, at.y});
  for (const Symmetry symmetry : generator.orientations)
    json["orientations"].push_back(loom::name_of(symmetry));
  return json;
}

Generator read_generator(const JsonReader& json) {
  Generator generator;
  const Json& list = json.array("offsets");
  if (list.size() > kMaxReplicas)
    throw InputError(fmt::format("its fractal has more than {} offsets", kMaxReplicas));
  for (const Json& pair : list) {
    const auto is_small = [](const Json& one) {
      return one.is_number_unsigned() && one.get<std::uint64_t>() < kMaxScale;
    };
    if (!pair.is_array() || pair.size() != 2 || !is_small(pair[0]) || !is_small(pair[1])) {
      throw InputError(
          fmt::format("its fractal's offsets are not pairs of whole numbers from 0 to {}", kMaxScale - 1));
    }
    generator.offsets.push_back({pair[0].get<std::uint32_t>(), pair[1].get<std::uint32_t>()});
  }
  if (json.has("orientations")) {
    for (const Json& symmetry : json.array("orientations")) {
      if (!symmetry.is_string()) throw InputError("its fractal's orientations are not texts");
      generator.orientations.push_back(loom::parse_symmetry(symmetry.get<std::string>()));
    }
  }
  generator.s_x = json.whole<std::uint32_t>("s_x");
  generator.s_y = json.whole<std::uint32_t>("s_y");
  return generator;
}

}  // namespace

Json to_json(const NbbFractal& fractal) {
  Json json{{"name", fractal.name()}};
  if (fractal.generators().size() == 1 && fractal.repeats()) {
    json.update(to_json(fractal.generators().front()));
    return json;
  }
  json["levels"] = Json::array();
  for (const Generator& generator : fractal.generators()) json["levels"].push_back(to_json(generator));
  json["repeat"] = fractal.repeats();
  return json;
}

NbbFractal read_fractal(const JsonReader& json) {
  std::string name = json.text("name");
  const bool has_control = name.find_first_of(std::string_view("\0\n\r\t\x1b\x7f", 6)) != std::string::npos;
  if (name.empty() || name.size() > kMaxFractalNameBytes || has_control) {
    throw InputError(
        fmt::format("its fractal's name is not one of 1 to {} characters", kMaxFractalNameBytes));
  }
  if (!json.has("levels")) return NbbFractal(std::move(name), {read_generator(json)});
  const Json& list = json.array("levels");
  if (list.size() > kMaxLevels)
    throw InputError(fmt::format("its fractal has more than {} levels", kMaxLevels));
  std::vector<Generator> generators;
  for (const Json& level : list)
    generators.push_back(read_generator(JsonReader(level, "its fractal's level")));
  return NbbFractal(std::move(name), std::move(generators), json.yes_no("repeat"));
}

Json to_json(const render::Camera::View& view) {
  const auto axis = [&](int i) {
    return Json{{"anchor", view.anchor[i]},
                {"pixel", view.pixel[i]},
                {"cells_per_pixel", view.scale[i]},
                {"pixels", view.picture[i]}};
  };
  return {{"x", axis(0)}, {"y", axis(1)}};
}

render::Camera::View read_view(const JsonReader& json) {
  render::Camera::View view;
  const auto read_axis = [&](int i, const JsonReader& axis) {
    view.anchor[i] = axis.real("anchor");
    view.pixel[i] = axis.real("pixel");
    view.scale[i] = axis.number("cells_per_pixel");
    view.picture[i] = axis.whole<int>("pixels");
    if (view.scale[i] <= 0 || view.picture[i] < 1) throw InputError("its view of the cells has no size");
  };
  read_axis(0, json.object("x"));
  read_axis(1, json.object("y"));
  return view;
}

}  // namespace loom::app::scene
