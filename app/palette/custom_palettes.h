#pragma once

#include <glm/fwd.hpp>
#include <glm/vec3.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/files/palette_file.h"
#include "render/palette.h"

namespace loom::app {

struct CustomPalette {
  render::PaletteSpec recipe;
  render::Palette palette;  ///< built from the recipe
};
/// The user's custom palettes. An immutable shared list; changes create a new list. Null means none.
using CustomPalettes = std::shared_ptr<const std::vector<CustomPalette>>;
inline constexpr std::size_t kMaxCustomPalettes = 64;

/// A custom or built-in palette; null if the name is unknown.
const render::Palette* find_palette(const CustomPalettes& custom, std::string_view name);
/// The palette of this name, or the first built-in one if the name is unknown.
const render::Palette& palette_or_first(const CustomPalettes& custom, std::string_view name);
const render::PaletteSpec& recipe_or_first(const CustomPalettes& custom, std::string_view name);
bool is_custom(const CustomPalettes& custom, std::string_view name);

/// The list with this palette added, or replacing the one of the same name. Throws InputError if there are
/// already kMaxCustomPalettes, if the name is empty or that of a built-in palette, or if the stops are not in
/// order.
CustomPalettes with_palette(const CustomPalettes& custom, render::PaletteSpec recipe);
CustomPalettes without_palette(const CustomPalettes& custom, std::string_view name);
/// All palettes of the first list and, while there is room, those that only the second has; a different
/// palette with an existing name gets a number appended.
CustomPalettes merge_palettes(const CustomPalettes& first, const CustomPalettes& second);
/// `preferred_name`, with a number appended if the name is taken.
std::string free_name(const CustomPalettes& custom, const std::string& preferred_name);
/// If the file does not specify them, holes and outside are dark, or light if the scale starts dark.
render::PaletteSpec recipe_of(const FilePalette& file);
FilePalette file_of(const render::PaletteSpec& recipe);
/// Reduces a palette to this number of evenly spaced stops that look similar.
void reduce_stops(render::PaletteSpec& recipe, std::size_t stops);

/// "#rrggbb", and the inverse, which is empty for any other text.
std::string hex_of(glm::u8vec3 colour);
std::optional<glm::u8vec3> colour_of_hex(std::string_view text);

}  // namespace loom::app
