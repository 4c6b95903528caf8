#include "app/palette/custom_palettes.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "compute/core/error.h"

namespace loom::app {
namespace {

const CustomPalette* custom_palettes_of(const CustomPalettes& custom, std::string_view name) {
  if (!custom) return nullptr;
  for (const CustomPalette& one : *custom) {
    if (one.recipe.name == name) return &one;
  }
  return nullptr;
}

int brightness(glm::u8vec3 colour) {
  return 2 * colour.r + 5 * colour.g + colour.b;
}

glm::u8vec3 colour_of(const std::array<std::uint8_t, 3>& rgb) {
  return {rgb[0], rgb[1], rgb[2]};
}

}  // namespace

const render::Palette* find_palette(const CustomPalettes& custom, std::string_view name) {
  const CustomPalette* const found = custom_palettes_of(custom, name);
  return found != nullptr ? &found->palette : render::find_palette(name);
}

const render::Palette& palette_or_first(const CustomPalettes& custom, std::string_view name) {
  const render::Palette* const found = find_palette(custom, name);
  return found != nullptr ? *found : render::palettes().front();
}

const render::PaletteSpec& recipe_or_first(const CustomPalettes& custom, std::string_view name) {
  if (const CustomPalette* const found = custom_palettes_of(custom, name)) return found->recipe;
  const auto& built_in = render::palette_specs();
  const auto found = std::ranges::find(built_in, name, &render::PaletteSpec::name);
  return found != built_in.end() ? *found : built_in.front();
}

bool is_custom(const CustomPalettes& custom, std::string_view name) {
  return custom_palettes_of(custom, name) != nullptr;
}

CustomPalettes with_palette(const CustomPalettes& custom, render::PaletteSpec recipe) {
  recipe.group = render::PaletteGroup::kCustom;
  if (recipe.name.empty()) throw InputError("a palette needs a name");
  if (render::find_palette(recipe.name) != nullptr)
    throw InputError(fmt::format("{} is the name of a built-in palette; choose another name", recipe.name));
  auto all = custom ? *custom : std::vector<CustomPalette>();
  const auto place =
      std::ranges::find_if(all, [&](const CustomPalette& one) { return one.recipe.name == recipe.name; });
  try {
    CustomPalette made{recipe, render::make_palette(recipe)};
    if (place != all.end()) {
      *place = std::move(made);
    } else if (all.size() == kMaxCustomPalettes) {
      throw InputError(
          fmt::format("there are already {} custom palettes; delete one first", kMaxCustomPalettes));
    } else {
      all.push_back(std::move(made));
    }
  } catch (const std::invalid_argument& error) {
    throw InputError(error.what());
  }
  return std::make_shared<const std::vector<CustomPalette>>(std::move(all));
}

CustomPalettes without_palette(const CustomPalettes& custom, std::string_view name) {
  if (!is_custom(custom, name)) return custom;
  auto all = *custom;
  std::erase_if(all, [&](const CustomPalette& one) { return one.recipe.name == name; });
  if (all.empty()) return nullptr;
  return std::make_shared<const std::vector<CustomPalette>>(std::move(all));
}

CustomPalettes merge_palettes(const CustomPalettes& first, const CustomPalettes& second) {
  if (!first || !second) return first ? first : second;
  CustomPalettes all = first;
  for (const CustomPalette& one : *second) {
    const CustomPalette* const known = custom_palettes_of(all, one.recipe.name);
    if ((known != nullptr && known->recipe == one.recipe) || all->size() == kMaxCustomPalettes) continue;
    render::PaletteSpec recipe = one.recipe;
    recipe.name = free_name(all, recipe.name);
    all = with_palette(all, std::move(recipe));
  }
  return all;
}

std::string free_name(const CustomPalettes& custom, const std::string& preferred_name) {
  std::string name = preferred_name;
  for (int number = 2; find_palette(custom, name) != nullptr; ++number)
    name = fmt::format("{} {}", preferred_name, number);
  return name;
}

render::PaletteSpec recipe_of(const FilePalette& file) {
  render::PaletteSpec recipe{
      .name = file.name, .cyclic = file.cyclic, .reversed = file.reversed, .offset = file.offset};
  for (const FilePalette::Stop& stop : file.stops) recipe.stops.push_back({stop.at, colour_of(stop.rgb)});
  const bool begins_dark = brightness(recipe.stops.front().colour) < 4 * 128;
  recipe.hole = begins_dark ? glm::u8vec3{225, 228, 232} : glm::u8vec3{5, 6, 9};
  recipe.outside = begins_dark ? glm::u8vec3{190, 193, 198} : glm::u8vec3{36, 38, 43};
  if (file.hole) recipe.hole = colour_of(*file.hole);
  if (file.outside) recipe.outside = colour_of(*file.outside);
  return recipe;
}

FilePalette file_of(const render::PaletteSpec& recipe) {
  const auto bytes = [](glm::u8vec3 colour) {
    return std::array<std::uint8_t, 3>{colour.r, colour.g, colour.b};
  };
  FilePalette file{.name = recipe.name,
                   .cyclic = recipe.cyclic,
                   .reversed = recipe.reversed,
                   .offset = recipe.offset,
                   .hole = bytes(recipe.hole),
                   .outside = bytes(recipe.outside)};
  for (const render::PaletteStop& stop : recipe.stops) file.stops.push_back({stop.at, bytes(stop.colour)});
  return file;
}

void reduce_stops(render::PaletteSpec& recipe, std::size_t stops) {
  render::PaletteSpec plain = recipe;
  plain.reversed = false;
  plain.offset = 0;
  const render::Palette all = render::make_palette(plain);
  const double steps = static_cast<double>(stops) - (recipe.cyclic ? 0 : 1);
  std::vector<render::PaletteStop> fewer;
  for (std::size_t i = 0; i < stops; ++i) {
    const double at = static_cast<double>(i) / steps;
    const auto& colours = recipe.cyclic ? all.cycle : all.ramp;
    fewer.push_back({at, colours[static_cast<std::size_t>(std::lround(at * (recipe.cyclic ? 256 : 255)))]});
  }
  recipe.stops = std::move(fewer);
}

std::string hex_of(glm::u8vec3 colour) {
  return fmt::format("#{:02x}{:02x}{:02x}", colour.r, colour.g, colour.b);
}

std::optional<glm::u8vec3> colour_of_hex(std::string_view text) {
  unsigned value = 0;
  if (text.size() != 7 || text.front() != '#') return std::nullopt;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data() + 1, end, value, 16);
  if (error != std::errc() || rest != end) return std::nullopt;
  return glm::u8vec3{static_cast<std::uint8_t>(value >> 16), static_cast<std::uint8_t>(value >> 8 & 255u),
                     static_cast<std::uint8_t>(value & 255u)};
}

}  // namespace loom::app
