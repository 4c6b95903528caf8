#include "app/gui/theme.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "app/gui/imgui_compat.h"
#include "font_files.h"
#include "font_license.h"

namespace loom::app::theme {
namespace {

constexpr float kGridSteps = 4;       ///< of the grid for spacing, per font size
constexpr float kStyleUiPixels = 16;  ///< font size of the numbers in apply()

constexpr glm::vec4 rgb(std::uint32_t hex) {
  const auto part = [&](unsigned shift) { return static_cast<float>(hex >> shift & 255u) / 255; };
  return {part(16), part(8), part(0), 1};
}

constexpr Colours kDark{.text = rgb(0xEBEDF2),
                        .muted = rgb(0xA9B1BD),
                        .accent = rgb(0x5CB8C7),
                        .on_accent = rgb(0x0A1217),
                        .grab = rgb(0x2F6B78),
                        .warning = rgb(0xFFC25A),
                        .success = rgb(0x6FE5B8),
                        .error = rgb(0xFF8A90),
                        .background = rgb(0x17191E),
                        .raised = rgb(0x2A2E37),
                        .hover = rgb(0x393F4B),
                        .selection = rgb(0xC4A0FF),
                        .surroundings = rgb(0x24262B),
                        .mark = IM_COL32(255, 255, 255, 235),
                        .grid = IM_COL32(255, 255, 255, 44),
                        .minor_grid = IM_COL32(255, 255, 255, 18),
                        .shade = IM_COL32(0, 0, 0, 110),
                        .text_background = IM_COL32(18, 20, 26, 225),
                        .ring = IM_COL32(255, 226, 92, 255),
                        .ring_edge = IM_COL32(10, 12, 16, 255)};

constexpr Colours kLight{.text = rgb(0x1B1F27),
                         .muted = rgb(0x4C5461),
                         .accent = rgb(0x006577),
                         .on_accent = rgb(0xFFFFFF),
                         .grab = rgb(0x9CCFD9),
                         .warning = rgb(0x865000),
                         .success = rgb(0x006950),
                         .error = rgb(0x960028),
                         .background = rgb(0xF6F7F9),
                         .raised = rgb(0xE5E8ED),
                         .hover = rgb(0xD3D9E1),
                         .selection = rgb(0x5F28BE),
                         .surroundings = rgb(0xDDE1E7),
                         .mark = IM_COL32(20, 24, 32, 255),
                         .grid = IM_COL32(0, 0, 0, 52),
                         .minor_grid = IM_COL32(0, 0, 0, 22),
                         .shade = IM_COL32(255, 255, 255, 130),
                         .text_background = IM_COL32(246, 247, 249, 232),
                         .ring = IM_COL32(29, 78, 216, 255),
                         .ring_edge = IM_COL32(255, 255, 255, 255)};

constexpr Overlay kOnDark{.active_tile = IM_COL32(110, 225, 235, 150),
                          .empty_tile = IM_COL32(255, 140, 40, 58),
                          .empty_tile_outline = IM_COL32(255, 165, 70, 130),
                          .empty_tile_hatch = IM_COL32(255, 165, 70, 175),
                          .idle_thread = IM_COL32(255, 165, 70, 210),
                          .cell_grid = IM_COL32(255, 255, 255, 38),
                          .selected_tile = IM_COL32(255, 255, 255, 48),
                          .hovered = IM_COL32(255, 255, 255, 235),
                          .selection = IM_COL32(196, 160, 255, 255),
                          .warp = IM_COL32(210, 182, 255, 255),
                          .edge = IM_COL32(18, 20, 26, 225)};

constexpr Overlay kOnLight{.active_tile = IM_COL32(0, 105, 125, 200),
                           .empty_tile = IM_COL32(225, 110, 0, 60),
                           .empty_tile_outline = IM_COL32(170, 80, 0, 170),
                           .empty_tile_hatch = IM_COL32(165, 75, 0, 205),
                           .idle_thread = IM_COL32(165, 75, 0, 230),
                           .cell_grid = IM_COL32(0, 0, 0, 48),
                           .selected_tile = IM_COL32(0, 0, 0, 44),
                           .hovered = IM_COL32(20, 24, 32, 245),
                           .selection = IM_COL32(95, 40, 190, 255),
                           .warp = IM_COL32(115, 65, 205, 255),
                           .edge = IM_COL32(255, 255, 255, 225)};

glm::vec4 with_alpha(const glm::vec4& colour, float alpha) {
  return {glm::vec3(colour), alpha};
}

}  // namespace

float grid(float steps) {
  return std::round(steps * ImGui::GetFontSize() / kGridSteps);
}

const Colours& colours_of(Theme theme) {
  return theme == Theme::kLight ? kLight : kDark;
}

// A window's background may be pushed to `raised`, which is light in the light theme too.
Theme in_force() {
  return ImGui::GetStyle().Colors[ImGuiCol_WindowBg].x > 0.5f ? Theme::kLight : Theme::kDark;
}

const Colours& colours() {
  return colours_of(in_force());
}

float luminance(const glm::vec4& colour) {
  const auto linear = [](float part) {
    return part <= 0.04045f ? part / 12.92f : std::pow((part + 0.055f) / 1.055f, 2.4f);
  };
  return 0.2126f * linear(colour.r) + 0.7152f * linear(colour.g) + 0.0722f * linear(colour.b);
}

float contrast(const glm::vec4& one, const glm::vec4& other) {
  const auto [low, high] = std::minmax({luminance(one), luminance(other)});
  return (high + 0.05f) / (low + 0.05f);
}

glm::vec4 text_on(const glm::vec4& fill) {
  return contrast(kDark.on_accent, fill) > contrast(kLight.on_accent, fill) ? kDark.on_accent
                                                                            : kLight.on_accent;
}

glm::vec4 behind_text(const glm::vec4& colour) {
  return in_force() == Theme::kLight ? glm::vec4(0.71f + 0.29f * glm::vec3(colour), 1)
                                     : glm::vec4(0.55f * glm::vec3(colour), 1);
}

const Overlay& overlay(bool light) {
  return light ? kOnLight : kOnDark;
}

bool is_light(glm::u8vec3 colour) {
  constexpr float kMiddle = 0.18f;  // as far from white as from black, in contrast
  return luminance(glm::vec4(glm::vec3(colour) / 255.0f, 1)) > kMiddle;
}

glm::u8vec3 surroundings(glm::u8vec3 of_palette) {
  if (is_light(of_palette) == (in_force() == Theme::kLight)) return of_palette;
  return glm::u8vec3(glm::vec3(colours().surroundings) * 255.0f + 0.5f);
}

void push_on_raised() {
  ImGui::PushStyleColor(ImGuiCol_FrameBg, colours().background);
  ImGui::PushStyleColor(ImGuiCol_Button, colours().hover);
}

void pop_on_raised() {
  ImGui::PopStyleColor(2);
}

void apply(float ui_pixels, Theme theme) {
  const Colours& with = colours_of(theme);
  ImGuiStyle style;  // from the defaults each time: ScaleAllSizes must not compound
  style.WindowRounding = 8;
  style.ChildRounding = 4;
  style.CircleTessellationMaxError = 0.5f;  // pixels; a software rasterizer takes longest for small triangles
  style.FrameRounding = 4;
  style.PopupRounding = 4;
  style.GrabRounding = 4;
  style.ScrollbarRounding = 4;
  style.WindowBorderSize = 0;
  style.PopupBorderSize = 1;
  style.FrameBorderSize = 0;
  // On the grid: a line of controls is 20 high, with its distance 24; a row of a table is 20 high.
  style.WindowPadding = {12, 8};
  style.FramePadding = {8, 2};
  style.ItemSpacing = {8, 4};
  style.ItemInnerSpacing = {8, 4};
  style.CellPadding = {4, 2};
  style.ScrollbarSize = 12;
  style.GrabMinSize = 12;
  style.WindowMinSize = {16, 16};
  style.DisabledAlpha = 0.45f;

  ImVec4* colour = style.Colors;
  theme == Theme::kLight ? ImGui::StyleColorsLight(&style) : ImGui::StyleColorsDark(&style);
  colour[ImGuiCol_Text] = with.text;
  colour[ImGuiCol_TextDisabled] = with.muted;
  colour[ImGuiCol_WindowBg] = with.background;
  colour[ImGuiCol_PopupBg] = with_alpha(with.raised, 0.98f);
  colour[ImGuiCol_Border] = with_alpha(with.hover, 1);
  colour[ImGuiCol_FrameBg] = with.raised;
  colour[ImGuiCol_FrameBgHovered] = with.hover;
  colour[ImGuiCol_FrameBgActive] = with.hover;
  colour[ImGuiCol_TitleBg] = with.raised;
  colour[ImGuiCol_TitleBgActive] = with.raised;
  colour[ImGuiCol_TitleBgCollapsed] = with.raised;
  colour[ImGuiCol_Button] = with.raised;
  colour[ImGuiCol_ButtonHovered] = with.hover;
  colour[ImGuiCol_ButtonActive] = with_alpha(with.accent, 0.55f);
  colour[ImGuiCol_Header] = with.raised;
  colour[ImGuiCol_HeaderHovered] = with.hover;
  colour[ImGuiCol_HeaderActive] = with.hover;
  colour[ImGuiCol_CheckMark] = with.accent;
  colour[ImGuiCol_NavHighlight] = ImGui::ColorConvertU32ToFloat4(with.ring);  // keyboard focus
  colour[ImGuiCol_SliderGrab] = with.grab;
  colour[ImGuiCol_PlotHistogram] = with.grab;  // progress bars
  colour[ImGuiCol_SliderGrabActive] = with.accent;
  colour[ImGuiCol_ScrollbarBg] = with_alpha(with.background, 0);
  colour[ImGuiCol_ScrollbarGrab] = with.hover;
  colour[ImGuiCol_Separator] = with.hover;
  colour[ImGuiCol_TableHeaderBg] = with.raised;
  colour[ImGuiCol_TableRowBgAlt] = with_alpha(with.text, 0.025f);
  colour[ImGuiCol_MenuBarBg] = with.raised;
  colour[ImGuiCol_TableBorderLight] = with.hover;
  colour[ImGuiCol_TextSelectedBg] = with_alpha(with.accent, 0.35f);
  colour[ImGuiCol_ModalWindowDimBg] = {0, 0, 0, theme == Theme::kLight ? 0.35f : 0.55f};
  colour[ImGuiCol_ResizeGrip] = with_alpha(with.hover, 0);

  style.ScaleAllSizes(ui_pixels / kStyleUiPixels);
  ImGui::GetStyle() = style;
}

}  // namespace loom::app::theme

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

// Those of app/gui/theme.h and of labels.
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
  imgui_compat::add_subscripts();
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
