#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace loom::render {

struct Rgb {
  std::uint8_t r = 0, g = 0, b = 0;
  friend constexpr bool operator==(const Rgb&, const Rgb&) = default;
};

/// What palettes are listed under.
enum class PaletteGroup {
  kUniform,    ///< equal steps look equally large
  kCyclic,     ///< the end leads back to the beginning
  kSafe,       ///< told apart with every common colour-vision deficiency, and in grey
  kClassical,  ///< the rest
  kOwn,        ///< made or imported by the user
};
inline constexpr std::array kPaletteGroups = {PaletteGroup::kUniform, PaletteGroup::kCyclic,
                                              PaletteGroup::kSafe, PaletteGroup::kClassical,
                                              PaletteGroup::kOwn};
/// "uniform", "cyclic", "safe", "classical", "own": as files have it.
std::string_view name_of(PaletteGroup group);
/// "perceptually uniform", "cyclic", "colour-blind safe", "classical", "mine".
const char* label_of(PaletteGroup group);

/// A colour at a place of the scale.
struct PaletteStop {
  double at = 0;  ///< 0 to 1
  Rgb colour;
  friend bool operator==(const PaletteStop&, const PaletteStop&) = default;
};

/// What a palette is made of.
struct PaletteRecipe {
  std::string name;
  PaletteGroup group = PaletteGroup::kOwn;
  std::vector<PaletteStop> stops = {};  ///< 2 to kMostStops, none before the one ahead of it
  bool cyclic = false;                  ///< after the last stop comes the first again, at 1
  bool reversed = false;
  double offset = 0;  ///< 0 to 1: where the cycle begins
  Rgb hole = {};
  Rgb outside = {};
  friend bool operator==(const PaletteRecipe&, const PaletteRecipe&) = default;
};
inline constexpr std::size_t kMostStops = 512;

/// Colours of a scale, for living density (first entry: all cells dead, last: all alive) with a colour for
/// holes that differs visibly from both ends; and the same colours as a cycle.
struct Palette {
  std::string name;
  PaletteGroup group = PaletteGroup::kOwn;
  /// Of a scale with two ends. Of a cyclic palette half a turn: its ends are to be told apart.
  std::array<Rgb, 256> ramp{};
  /// Of a scale without ends: entry 256 would be entry 0 again. A palette that is not cyclic goes there and
  /// back.
  std::array<Rgb, 256> cycle{};
  Rgb hole;     ///< points of the square that are not cells
  Rgb outside;  ///< beyond the square
  friend bool operator==(const Palette&, const Palette&) = default;
};

/// Linear interpolation between stops, in sRGB. Throws std::invalid_argument for fewer than two stops, more
/// than kMostStops, places outside 0 to 1 or out of order.
Palette make_palette(const PaletteRecipe& recipe);

/// The built-in palettes (assets/palettes), cividis first (readable with colour-vision deficiency), at least
/// sixteen.
const std::vector<Palette>& palettes();
/// What they are made of, in the same order.
const std::vector<PaletteRecipe>& palette_recipes();
/// Null where there is none of that name.
const Palette* find_palette(std::string_view name);

/// The entry of the ramp that a density shows, for 0 (all dead) .. 1 (all alive): 0 is entry 0, 1 is entry
/// 255. In between it follows the square root, since that is about how brightness is perceived, and starts
/// well above entry 0: one living cell among very many dead ones still stands out.
int ramp_index(double density);
/// The colour of a value of a display texture: 0 a hole, else 1 + round(65534 * density). The field renderer
/// shows exactly this colour.
Rgb display_colour(const Palette& palette, std::uint16_t value);

}  // namespace loom::render
