#include "app/document/scene/palette_json.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>

#include "app/palette/custom_palettes.h"
#include "compute/core/error.h"

namespace loom::app::scene {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostName = 64;

glm::u8vec3 read_colour(const std::string& text) {
  const auto colour = colour_of_hex(text);
  if (!colour) throw InputError("a colour of its palettes is not written \"#rrggbb\"");
  return *colour;
}

}  // namespace

Json to_json(const render::PaletteSpec& recipe) {
  Json json{{"name", recipe.name},     {"cyclic", recipe.cyclic},     {"reversed", recipe.reversed},
            {"offset", recipe.offset}, {"hole", hex_of(recipe.hole)}, {"outside", hex_of(recipe.outside)},
            {"stops", Json::array()}};
  for (const render::PaletteStop& stop : recipe.stops)
    json["stops"].push_back({stop.at, hex_of(stop.colour)});
  return json;
}

render::PaletteSpec read_palette(const JsonReader& json) {
  render::PaletteSpec recipe{.name = json.text("name"),
                             .cyclic = json.yes_no("cyclic"),
                             .reversed = json.yes_no("reversed"),
                             .offset = json.number("offset"),
                             .hole = read_colour(json.text("hole")),
                             .outside = read_colour(json.text("outside"))};
  if (recipe.name.size() > kMostName)
    throw InputError(fmt::format("a palette's name is longer than {} bytes", kMostName));
  if (recipe.offset > 1) throw InputError("a palette's offset is not a number from 0 to 1");
  const Json& stops = json.array("stops");
  if (stops.size() > render::kMaxStops)
    throw InputError(fmt::format("a palette has more than {} stops", render::kMaxStops));
  for (const Json& stop : stops) {
    if (!stop.is_array() || stop.size() != 2 || !stop[0].is_number() || !stop[1].is_string())
      throw InputError("a palette's stops are not pairs of a position and a colour");
    recipe.stops.push_back({stop[0].get<double>(), read_colour(stop[1].get<std::string>())});
  }
  return recipe;
}

}  // namespace loom::app::scene
