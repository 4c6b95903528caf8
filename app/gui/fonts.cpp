#include "app/gui/fonts.h"

#include <imgui.h>

#include <array>

namespace loom::app {
namespace {

constexpr std::array kFolders = {"/usr/share/fonts/truetype/dejavu", "/usr/share/fonts/TTF",
                                 "/usr/share/fonts/dejavu-sans-fonts", "/usr/share/fonts/dejavu"};

constexpr std::array<ImWchar, 19> kRanges = {0x0020, 0x00FF,  // Latin, with × · ² ³
                                             0x02B0, 0x02B8,  // raised letters, with ʳ
                                             0x0370, 0x03FF,  // Greek
                                             0x2010, 0x2030,  // dashes, quotes, ellipsis
                                             0x2070, 0x209F,  // superscripts and subscripts
                                             0x2190, 0x21FF,  // arrows
                                             0x2200, 0x22FF,  // mathematical signs
                                             0x2308, 0x230B,  // ceiling and floor
                                             0x25A0, 0x25FF,  // geometric shapes
                                             0};

}  // namespace

std::optional<std::filesystem::path> find_font(std::string_view file) {
  for (const char* folder : kFolders) {
    std::error_code ignored;
    std::filesystem::path path = std::filesystem::path(folder) / file;
    if (std::filesystem::is_regular_file(path, ignored)) return path;
  }
  return std::nullopt;
}

Fonts load_fonts(float ui_pixels) {
  ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
  atlas.Clear();
  Fonts fonts;
  const auto load = [&](std::string_view file) -> ImFont* {
    const auto path = find_font(file);
    return path ? atlas.AddFontFromFileTTF(path->c_str(), ui_pixels, nullptr, kRanges.data()) : nullptr;
  };
  fonts.text = load("DejaVuSans.ttf");
  if (fonts.text == nullptr) {
    fonts.problem =
        "DejaVu Sans was not found (package fonts-dejavu-core): ImGui's built-in font stands in, "
        "without Greek letters";
    ImFontConfig config;
    config.SizePixels = ui_pixels;
    fonts.text = atlas.AddFontDefault(&config);
  }
  fonts.bold = load("DejaVuSans-Bold.ttf");
  if (fonts.bold == nullptr) fonts.bold = fonts.text;
  return fonts;
}

}  // namespace loom::app
