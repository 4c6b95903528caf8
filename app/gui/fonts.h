#pragma once

#include <string_view>

struct ImFont;

namespace loom::app {

/// The loaded fonts.
struct Fonts {
  ImFont* text = nullptr;
  ImFont* bold = nullptr;
  ImFont* mono = nullptr;
};

/// Rebuilds ImGui's font atlas at `ui_pixels` with DejaVu Sans, including Greek letters, superscripts, arrows
/// and mathematical signs. The font is embedded in the program; no file is read.
Fonts load_fonts(float ui_pixels);

/// The notice that the licence of the fonts requires.
std::string_view font_license();

}  // namespace loom::app
