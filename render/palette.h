#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace loom::render {

struct Rgb {
  std::uint8_t r = 0, g = 0, b = 0;
};

/// A colour scale for living density (first entry: all cells dead, last: all alive) with a colour for holes that
/// differs visibly from both ends.
struct Palette {
  std::string name;
  std::array<Rgb, 256> ramp{};
  Rgb hole;     ///< points of the square that are not cells
  Rgb outside;  ///< beyond the square
};

/// The built-in palettes, cividis first (readable with colour-vision deficiency), at least four.
const std::vector<Palette>& palettes();
/// Null where there is none of that name.
const Palette* find_palette(std::string_view name);

}  // namespace loom::render
