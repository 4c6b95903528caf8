#pragma once

#include <imgui.h>

#include <array>
#include <cstdint>
#include <glm/fwd.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>
#include <string_view>

#include "app/text/text.h"

struct ImFont;

namespace loom::app {

/// The colours of the window around the pictures.
enum class Theme { kDark, kLight };
inline constexpr std::array kThemes = {Theme::kDark, Theme::kLight};

constexpr std::string_view name_of(Theme theme) {
  return theme == Theme::kLight ? "light" : "dark";
}

}  // namespace loom::app

namespace loom::app::theme {

/// The sizes of text, in font sizes of the interface. Headings and titles are semi-bold.
inline constexpr float kTextSize = 1;
inline constexpr float kHeadingSize = 1.25f;
inline constexpr float kTitleSize = 1.75f;

/// `steps` of the grid for spacing, in whole pixels: a step is a quarter of the font size, 4 pixels at 16.
float grid(float steps);

/// The colours of a theme: one accent for the selection, one colour for each kind of message.
/// tests/app/theme_test.cpp checks the contrast of every pair of text and background that the window uses.
struct Colours {
  glm::vec4 text;
  glm::vec4 muted;  ///< secondary text
  glm::vec4 accent;
  glm::vec4 on_accent;  ///< text on `accent` and on the accents of the maps
  glm::vec4 grab;       ///< slider and selected row; `text` on it is readable
  glm::vec4 warning;
  glm::vec4 success;
  glm::vec4 error;
  glm::vec4 background;
  glm::vec4 raised;        ///< fields, buttons and bars
  glm::vec4 hover;         ///< what the mouse is over, and thin rules
  glm::vec4 selection;     ///< the selected thread in a diagram
  glm::vec4 surroundings;  ///< around pictures
  ImU32 mark;              ///< the lanes of its warp, a marked row
  ImU32 grid;              ///< lines of a plot's grid with a label
  ImU32 minor_grid;
  ImU32 shade;            ///< over a bar: the part that is idle
  ImU32 text_background;  ///< behind text on the picture
  ImU32 ring;             ///< around a control that has the keyboard focus or that a lesson highlights
  ImU32 ring_edge;        ///< beside `ring`, so that it is visible on any control
};

const Colours& colours_of(Theme theme);
/// The theme in force: ImGui's style has it.
Theme in_force();
/// The colours of the theme in force. They may change between frames, not within one.
const Colours& colours();

/// The colours of marks on the picture, whose background is the palette's and not the theme's. Empty tiles
/// and idle threads are orange, as warnings are; the selection is violet in pictures and diagrams.
struct Overlay {
  ImU32 active_tile;  ///< outline of a launched tile with cells
  ImU32 empty_tile;   ///< fill
  ImU32 empty_tile_outline;
  ImU32 empty_tile_hatch;
  ImU32 idle_thread;  ///< dot of a thread without a cell
  ImU32 cell_grid;
  ImU32 selected_tile;  ///< tint of the selected thread's tile
  ImU32 hovered;
  ImU32 selection;  ///< around the selected cell
  ImU32 warp;       ///< around the lanes of the selected thread's warp
  ImU32 edge;       ///< beside `hovered` and `selection`, so that they are visible on any cell
};
/// `light`: the background of the picture, which is that of its holes, is light.
const Overlay& overlay(bool light);
bool is_light(glm::u8vec3 colour);

/// The colour around the square of a picture: that of the palette, or the theme's if the palette's is light
/// in a dark window or dark in a light one.
glm::u8vec3 surroundings(glm::u8vec3 of_palette);

inline constexpr ImU32 kPen = IM_COL32(255, 64, 180, 255);  ///< the lecturer's; no palette has this colour
inline constexpr ImU32 kShade = IM_COL32(0, 0, 0, 190);     ///< around the spotlight
inline constexpr ImU32 kRubberBand = IM_COL32(255, 255, 255, 230);
inline constexpr ImU32 kRubberFill = IM_COL32(255, 255, 255, 30);

/// The text colour that is readable on a fill: dark or white.
glm::vec4 text_on(const glm::vec4& fill);
/// A fill of this hue on which `text` is readable.
glm::vec4 behind_text(const glm::vec4& colour);

/// Relative luminance and contrast ratio of opaque colours, as WCAG 2.1 defines them.
float luminance(const glm::vec4& colour);
float contrast(const glm::vec4& one, const glm::vec4& other);

/// A colour for draw lists.
inline ImU32 packed(glm::u8vec3 colour, std::uint8_t alpha = 255) {
  return IM_COL32(colour.r, colour.g, colour.b, alpha);
}

/// Colours for fields and buttons in a popup, whose background has their usual colour.
void push_on_raised();
void pop_on_raised();

/// Puts a theme in force: its colours, and rounding and spacing for a font of `ui_pixels`.
void apply(float ui_pixels, Theme theme);

}  // namespace loom::app::theme

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
