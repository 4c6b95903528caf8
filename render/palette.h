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

/// A colour scale for living density (first entry: all cells dead, last: all alive) with a colour for holes
/// that differs visibly from both ends.
struct Palette {
  std::string name;
  std::array<Rgb, 256> ramp{};
  Rgb hole;     ///< points of the square that are not cells
  Rgb outside;  ///< beyond the square
};

/// The built-in palettes (assets/palettes), cividis first (readable with colour-vision deficiency), at least
/// four.
const std::vector<Palette>& palettes();
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
