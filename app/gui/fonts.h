#pragma once

#include <string_view>

struct ImFont;

namespace loom::app {

/// The fonts in use, and what is wrong with them.
struct Fonts {
  ImFont* text = nullptr;
  ImFont* bold = nullptr;
  ImFont* mono = nullptr;
};

/// Fills ImGui's font atlas anew at `ui_pixels` with DejaVu Sans, with Greek letters, superscripts, arrows
/// and mathematical signs. The font is part of the program: no file is read.
Fonts load_fonts(float ui_pixels);

/// The notice that the fonts' licence wants kept with every copy of them.
std::string_view font_license();

}  // namespace loom::app
