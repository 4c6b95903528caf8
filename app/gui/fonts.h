#pragma once

#include <string_view>

#include "app/text/text.h"

struct ImFont;

namespace loom::app {

/// The loaded fonts.
struct Fonts {
  ImFont* text = nullptr;
  ImFont* bold = nullptr;
  ImFont* mono = nullptr;
};

/// Rebuilds ImGui's font atlas at `ui_pixels` with Inter, whose digits get one width, so that numbers in
/// columns align; with DejaVu Sans for the mathematical signs and symbols that Inter lacks; with DejaVu Sans
/// Mono for code; and with the icons of Font Awesome. The fonts are embedded in the program; no file is read.
Fonts load_fonts(float ui_pixels);

/// The font in which a text of this size is drawn: titles and large numbers have fonts of their own, since
/// enlarged characters are blurred.
ImFont* font_of(FontFace face, float pixels = 0);

/// The notices that the licences of Inter, DejaVu Sans and Font Awesome require.
std::string_view interface_font_license();
std::string_view font_license();
std::string_view icon_license();

}  // namespace loom::app

namespace loom::app::icons {

// Characters of the font Font Awesome 4, which load_fonts() merges into the text font.

inline constexpr const char* kBack = "\uf048";
inline constexpr const char* kPlay = "\uf04b";
inline constexpr const char* kPause = "\uf04c";
inline constexpr const char* kStep = "\uf051";

}  // namespace loom::app::icons
