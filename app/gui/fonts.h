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
/// and mathematical signs, and with the icons of Font Awesome. The fonts are embedded in the program; no file
/// is read.
Fonts load_fonts(float ui_pixels);

/// The notices that the licences of DejaVu Sans and of Font Awesome require.
std::string_view font_license();
std::string_view icon_license();

}  // namespace loom::app
