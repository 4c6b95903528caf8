#include "render/palette.h"

#include <toml++/toml.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <glm/common.hpp>
#include <optional>
#include <stdexcept>

#include "palettes.h"

namespace loom::render {
namespace {

// The smallest difference between the colour of a pixel with a living cell and that of dead cells, in entries
// of the ramp.
constexpr double kFirstLivingEntry = 112;

glm::u8vec3 parse_colour(std::optional<std::string_view> text, const std::string& palette) {
  unsigned value = 0;
  if (text && text->size() == 7 && text->front() == '#') {
    const char* end = text->data() + text->size();
    const auto [rest, error] = std::from_chars(text->data() + 1, end, value, 16);
    if (error == std::errc() && rest == end) {
      return {static_cast<std::uint8_t>(value >> 16), static_cast<std::uint8_t>(value >> 8 & 255u),
              static_cast<std::uint8_t>(value & 255u)};
    }
  }
  throw std::runtime_error("palette " + palette + ": colours are written \"#rrggbb\"");
}

PaletteGroup parse_group(std::string_view name, const std::string& palette) {
  for (const PaletteGroup group : kPaletteGroups) {
    if (name_of(group) == name) return group;
  }
  throw std::runtime_error("palette " + palette + ": no group of palettes is called that");
}

/// The colour at a position from 0 to 1. Before the first stop it is the first colour, after the last stop
/// the last one; a cyclic palette interpolates between them instead.
glm::u8vec3 colour_at(const PaletteSpec& recipe, double place) {
  const auto& stops = recipe.stops;
  const auto above = std::ranges::upper_bound(stops, place, {}, &PaletteStop::at);
  if (above != stops.begin() && above != stops.end()) {
    const PaletteStop& below = *(above - 1);
    return mix_colours(below.colour, above->colour, (place - below.at) / (above->at - below.at));
  }
  if (!recipe.cyclic) return above == stops.begin() ? stops.front().colour : stops.back().colour;
  const double gap = stops.front().at + 1 - stops.back().at;
  if (gap <= 0) return stops.front().colour;
  const double past = above == stops.begin() ? place + 1 - stops.back().at : place - stops.back().at;
  return mix_colours(stops.back().colour, stops.front().colour, past / gap);
}

PaletteSpec parse_recipe(std::string_view text) {
  const toml::table table = toml::parse(text);
  PaletteSpec recipe;
  recipe.name = table["name"].value_or(std::string());
  recipe.group = parse_group(table["group"].value_or(std::string()), recipe.name);
  recipe.cyclic = table["cyclic"].value_or(false);
  recipe.hole = parse_colour(table["hole"].value<std::string_view>(), recipe.name);
  recipe.outside = parse_colour(table["outside"].value<std::string_view>(), recipe.name);
  if (const toml::array* entries = table["ramp"].as_array()) {
    // Even spacing: a cycle's last stop is as far from the first one as any stop from the next.
    const double steps = static_cast<double>(entries->size()) - (recipe.cyclic ? 0 : 1);
    for (const toml::node& entry : *entries) {
      recipe.stops.push_back({static_cast<double>(recipe.stops.size()) / steps,
                              parse_colour(entry.value<std::string_view>(), recipe.name)});
    }
  }
  return recipe;
}

}  // namespace

std::string_view name_of(PaletteGroup group) {
  static constexpr std::array<std::string_view, 5> kNames = {"uniform", "cyclic", "safe", "classical", "own"};
  return kNames[static_cast<std::size_t>(group)];
}

const char* label_of(PaletteGroup group) {
  static constexpr std::array kLabels = {"perceptually uniform", "cyclic", "colour-blind safe", "classical",
                                         "mine"};
  return kLabels[static_cast<std::size_t>(group)];
}

Palette make_palette(const PaletteSpec& recipe) {
  const auto& stops = recipe.stops;
  if (stops.size() < 2 || stops.size() > kMaxStops)
    throw std::invalid_argument("palette " + recipe.name + ": a ramp has 2 to 512 colours");
  double before = 0;
  for (const PaletteStop& stop : stops) {
    if (!(stop.at >= before && stop.at <= 1))
      throw std::invalid_argument("palette " + recipe.name + ": places rise from 0 to 1");
    before = stop.at;
  }
  Palette palette{.name = recipe.name, .group = recipe.group, .hole = recipe.hole, .outside = recipe.outside};
  const auto directed = [&](double place) { return recipe.reversed ? 1 - place : place; };
  const auto turned = [&](double place) {
    const double turn = place + recipe.offset;
    return turn - std::floor(turn);
  };
  for (std::size_t i = 0; i < palette.ramp.size(); ++i) {
    const double place = static_cast<double>(i) / 255;
    const double part = static_cast<double>(i) / 256;
    if (recipe.cyclic) {
      palette.ramp[i] = colour_at(recipe, directed(turned(place / 2)));
      palette.cycle[i] = colour_at(recipe, directed(turned(part)));
    } else {
      palette.ramp[i] = colour_at(recipe, directed(place));
      palette.cycle[i] = colour_at(recipe, directed(1 - std::abs(1 - 2 * turned(part))));
    }
  }
  return palette;
}

const std::vector<PaletteSpec>& palette_specs() {
  static const std::vector<PaletteSpec> all = {
      parse_recipe(embedded::cividis_toml),   parse_recipe(embedded::paper_toml),
      parse_recipe(embedded::grey_toml),      parse_recipe(embedded::dusk_toml),
      parse_recipe(embedded::viridis_toml),   parse_recipe(embedded::magma_toml),
      parse_recipe(embedded::inferno_toml),   parse_recipe(embedded::plasma_toml),
      parse_recipe(embedded::cubehelix_toml), parse_recipe(embedded::twilight_toml),
      parse_recipe(embedded::blue_gold_toml), parse_recipe(embedded::lagoon_toml),
      parse_recipe(embedded::embers_toml),    parse_recipe(embedded::chalkboard_toml),
      parse_recipe(embedded::fire_toml),      parse_recipe(embedded::ice_toml),
      parse_recipe(embedded::copper_toml),    parse_recipe(embedded::meadow_toml)};
  return all;
}

const std::vector<Palette>& palettes() {
  static const std::vector<Palette> all = [] {
    std::vector<Palette> made;
    for (const PaletteSpec& recipe : palette_specs()) made.push_back(make_palette(recipe));
    return made;
  }();
  return all;
}

const Palette* find_palette(std::string_view name) {
  const auto found = std::ranges::find(palettes(), name, &Palette::name);
  return found != palettes().end() ? &*found : nullptr;
}

glm::u8vec3 mix_colours(glm::u8vec3 from, glm::u8vec3 to, double part) {
  return glm::u8vec3(glm::round(glm::dvec3(from) + (glm::dvec3(to) - glm::dvec3(from)) * part));
}

int ramp_index(double density) {
  if (!(density > 0)) return 0;
  const double root = std::sqrt(std::min(density, 1.0));
  return static_cast<int>(std::lround(kFirstLivingEntry + (255 - kFirstLivingEntry) * root));
}

glm::u8vec3 display_colour(const Palette& palette, std::uint16_t value) {
  if (value == 0) return palette.hole;
  return palette.ramp[static_cast<std::size_t>(ramp_index((value - 1) / 65534.0))];
}

}  // namespace loom::render
