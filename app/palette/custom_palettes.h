#pragma once

#include <filesystem>
#include <glm/fwd.hpp>
#include <glm/vec3.hpp>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/files/fractal_file.h"
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

/// The folder of the user's palettes; empty if there is none.
std::optional<std::filesystem::path> palettes_folder();

/// A folder with one .cpt file per palette (cpt_text), updated as the list changes. Only files that are
/// unchanged since this object read or wrote them are replaced or removed; an unreadable file, or one written
/// by another window, stays, and this window uses another file name.
class PaletteFolder {
 public:
  explicit PaletteFolder(std::filesystem::path folder) : folder_(std::move(folder)) {}

  struct Read {
    CustomPalettes palettes = {};
    std::string problem = {};  ///< which files could not be read, and why; empty if none
  };
  /// Reads the folder. Call once, before anything else.
  Read read();
  /// The list as the window starts with it. Palettes that were not read are not written until they change.
  void exclude(const CustomPalettes& others);
  /// Writes palettes of `now` that the folder lacks, then removes those that were in the previous list and
  /// are not in `now`. If the list is full, nothing is removed, because a scene may have displaced some.
  /// Throws as OutputFile does; the next call retries.
  void save(const CustomPalettes& now);

 private:
  struct StoredPalette {
    std::filesystem::path file;  ///< empty: excluded
    render::PaletteSpec recipe;
    std::string text;  ///< text of the file when read or written
  };
  /// Whether the file is unchanged since then.
  static bool is_unmodified(const StoredPalette& stored);
  std::filesystem::path new_file(const std::string& name) const;

  std::filesystem::path folder_;
  std::map<std::string, StoredPalette, std::less<>> stored_;  ///< by name of the palette
  CustomPalettes last_;                                       ///< the list of the previous call
};

}  // namespace loom::app
