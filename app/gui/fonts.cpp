#include "app/gui/fonts.h"

#include <imgui.h>

#include <array>
#include <span>

#include "font_files.h"
#include "font_license.h"

namespace loom::app {
namespace {

constexpr std::array<ImWchar, 23> kRanges = {0x0020, 0x017F,  // Latin, with × · ² ³
                                             0x02B0, 0x02B8,  // raised letters, with ʳ
                                             0x0370, 0x03FF,  // Greek
                                             0x2010, 0x203A,  // dashes, quotes, ellipsis
                                             0x2070, 0x209F,  // superscripts and subscripts
                                             0x2190, 0x21FF,  // arrows
                                             0x2200, 0x22FF,  // mathematical signs
                                             0x2308, 0x230B,  // ceiling and floor
                                             0x25A0, 0x25FF,  // geometric shapes
                                             0x2699, 0x2699,  // the gear
                                             0x2713, 0x2717,  // check mark and cross
                                             0};

// Letters and signs of titles and large numbers.
constexpr std::array<ImWchar, 11> kLargeRanges = {0x0020, 0x00FF, 0x0370, 0x03FF, 0x2010, 0x203A,
                                                  0x2190, 0x2193, 0x2212, 0x2212, 0};

// Inter's digits have different widths, and ImGui does not apply its feature for tables ("tnum").
constexpr std::array<ImWchar, 3> kDigits = {'0', '9', 0};
constexpr float kDigitAdvance = 0.525f;  ///< in font sizes; that of the widest digit

constexpr float kLargeScale = 2;  ///< size of the large fonts
constexpr int kFaces = 3;         ///< those with all characters come first

// Those of app/gui/fonts.h and of labels.
constexpr std::array<ImWchar, 3> kIconRanges = {0xF000, 0xF1FF, 0};

// Source code and the code of the documentation.
constexpr std::array<ImWchar, 11> kCodeRanges = {0x0020, 0x017F, 0x0370, 0x03FF, 0x2010, 0x203A,
                                                 0x2190, 0x2199, 0x2212, 0x2212, 0};

}  // namespace

Fonts load_fonts(float ui_pixels) {
  ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
  atlas.Clear();
  const auto load = [&](std::span<const unsigned char> file, float pixels, const ImWchar* ranges,
                        bool merge = false, float advance = 0) -> ImFont* {
    ImFontConfig config;
    config.MergeMode = merge;
    if (advance > 0) config.GlyphMinAdvanceX = config.GlyphMaxAdvanceX = advance;
    config.FontDataOwnedByAtlas = false;
    // ImGui's interface is not const, but ImGui does not change data that it does not own.
    auto* const bytes = const_cast<unsigned char*>(file.data());
    return atlas.AddFontFromMemoryTTF(bytes, static_cast<int>(file.size()), pixels, &config, ranges);
  };
  // Of several fonts with a glyph, the first one's is taken.
  const auto load_interface = [&](std::span<const unsigned char> file,
                                  std::span<const unsigned char> fallback, float pixels,
                                  const ImWchar* ranges) {
    ImFont* const font = load(file, pixels, kDigits.data(), false, kDigitAdvance * pixels);
    load(file, pixels, ranges, true);
    load(fallback, pixels, ranges, true);
    return font;
  };
  Fonts fonts;
  fonts.text = load_interface(embedded::inter_regular(), embedded::dejavu_sans(), ui_pixels, kRanges.data());
  load(embedded::font_awesome(), ui_pixels, kIconRanges.data(), true);
  // In the order of FontFace.
  fonts.bold =
      load_interface(embedded::inter_semi_bold(), embedded::dejavu_sans_bold(), ui_pixels, kRanges.data());
  fonts.mono = load(embedded::dejavu_sans_mono(), ui_pixels, kCodeRanges.data());
  const float large = kLargeScale * ui_pixels;
  load_interface(embedded::inter_regular(), embedded::dejavu_sans(), large, kLargeRanges.data());
  load_interface(embedded::inter_semi_bold(), embedded::dejavu_sans_bold(), large, kLargeRanges.data());
  return fonts;
}

ImFont* font_of(FontFace face, float pixels) {
  const ImVector<ImFont*>& fonts = ImGui::GetIO().Fonts->Fonts;
  const bool large = face != FontFace::kMono && pixels > 1.2f * fonts[0]->FontSize;
  return fonts[static_cast<int>(face) + (large ? kFaces : 0)];
}

std::string_view interface_font_license() {
  return embedded::inter_license_txt;
}

std::string_view font_license() {
  return embedded::dejavu_license_txt;
}

std::string_view icon_license() {
  return embedded::font_awesome_license_txt;
}

}  // namespace loom::app
