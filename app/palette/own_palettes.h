#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/files/palette_file.h"
#include "render/palette.h"

namespace loom::app {

struct OwnPalette {
  render::PaletteRecipe recipe;
  render::Palette palette;  ///< made of it
};
/// Palettes that the user made or imported. Never changed once they are shared: another one takes their
/// place. Null: none.
using OwnPalettes = std::shared_ptr<const std::vector<OwnPalette>>;
inline constexpr std::size_t kMostOwnPalettes = 64;

/// Of one's own or built in; null where none has the name.
const render::Palette* find_palette(const OwnPalettes& own, std::string_view name);
/// The first built-in one where none has the name.
const render::Palette& palette_or_first(const OwnPalettes& own, std::string_view name);
const render::PaletteRecipe& recipe_or_first(const OwnPalettes& own, std::string_view name);
bool is_own(const OwnPalettes& own, std::string_view name);

/// With this one as well, or instead of that of its name. Throws InputError where there are kMostOwnPalettes
/// already, where it has a built-in one's name or none, and where its stops are not in order.
OwnPalettes with_palette(const OwnPalettes& own, render::PaletteRecipe recipe);
OwnPalettes without_palette(const OwnPalettes& own, std::string_view name);
/// All of the first, then what the second has beside them, as far as there is room: another palette of a name
/// that is taken gets a number after it.
OwnPalettes joined(const OwnPalettes& first, const OwnPalettes& second);
/// `wish`, or with a number after it: a name that nothing has.
std::string free_name(const OwnPalettes& own, const std::string& wish);
/// Where the file does not say them, holes and what is outside are dark, or light where the scale begins
/// dark.
render::PaletteRecipe recipe_of(const FilePalette& file);
FilePalette file_of(const render::PaletteRecipe& recipe);
/// So many stops, evenly spaced, that look about the same.
void thin_out(render::PaletteRecipe& recipe, std::size_t stops);

/// "#rrggbb", and back; nothing for anything else.
std::string hex_of(render::Rgb colour);
std::optional<render::Rgb> colour_of_hex(std::string_view text);

}  // namespace loom::app
