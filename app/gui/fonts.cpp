#include "app/gui/fonts.h"

#include <imgui.h>

#include <array>
#include <span>

#include "font_files.h"
#include "font_license.h"

namespace loom::app {
namespace {

constexpr std::array<ImWchar, 23> kRanges = {0x0020, 0x00FF,  // Latin, with × · ² ³
                                             0x02B0, 0x02B8,  // raised letters, with ʳ
                                             0x0370, 0x03FF,  // Greek
                                             0x2010, 0x2030,  // dashes, quotes, ellipsis
                                             0x2070, 0x209F,  // superscripts and subscripts
                                             0x2190, 0x21FF,  // arrows
                                             0x2200, 0x22FF,  // mathematical signs
                                             0x2308, 0x230B,  // ceiling and floor
                                             0x25A0, 0x25FF,  // geometric shapes
                                             0x2699, 0x2699,  // the gear
                                             0x2713, 0x2717,  // check mark and cross
                                             0};

// Those of app/gui/icons.h and of labels.
constexpr std::array<ImWchar, 3> kIconRanges = {0xF000, 0xF1FF, 0};

// Source code and the code of the documentation.
constexpr std::array<ImWchar, 11> kCodeRanges = {0x0020, 0x00FF, 0x0370, 0x03FF, 0x2010, 0x2030,
                                                 0x2190, 0x2199, 0x2212, 0x2212, 0};

}  // namespace

Fonts load_fonts(float ui_pixels) {
  ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
  atlas.Clear();
  const auto load = [&](std::span<const unsigned char> file, const ImWchar* ranges,
                        bool merge = false) -> ImFont* {
    ImFontConfig config;
    config.MergeMode = merge;
    config.FontDataOwnedByAtlas = false;
    // ImGui's interface is not const, but ImGui does not change data that it does not own.
    auto* const bytes = const_cast<unsigned char*>(file.data());
    return atlas.AddFontFromMemoryTTF(bytes, static_cast<int>(file.size()), ui_pixels, &config, ranges);
  };
  ImFont* const text = load(embedded::dejavu_sans(), kRanges.data());
  load(embedded::font_awesome(), kIconRanges.data(), true);
  // In the order of diagram::Text::Face.
  return {.text = text,
          .bold = load(embedded::dejavu_sans_bold(), kRanges.data()),
          .mono = load(embedded::dejavu_sans_mono(), kCodeRanges.data())};
}

std::string_view font_license() {
  return embedded::dejavu_license_txt;
}

std::string_view icon_license() {
  return embedded::font_awesome_license_txt;
}

}  // namespace loom::app
