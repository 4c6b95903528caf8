#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

struct ImFont;

namespace loom::app {

/// The fonts in use, and what is wrong with them.
struct Fonts {
  ImFont* text = nullptr;
  ImFont* bold = nullptr;  ///< `text` where the bold cut is missing
  std::string problem;     ///< not empty where DejaVu Sans was not found and ImGui's own font stands in
};

/// Looks a DejaVu font file up where the distributions put it.
std::optional<std::filesystem::path> find_font(std::string_view file);

/// Fills ImGui's font atlas anew at `ui_pixels`, with Greek letters, superscripts, arrows and mathematical
/// signs.
Fonts load_fonts(float ui_pixels);

}  // namespace loom::app
