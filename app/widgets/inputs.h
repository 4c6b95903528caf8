#pragma once

#include <imgui.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <glm/fwd.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "app/gui/layout.h"
#include "app/gui/theme.h"
#include "app/widgets/text.h"
#include "compute/geometry/nbb_fractal.h"
#include "render/palette.h"

namespace loom::app {

/// The label of a row of controls; the next control starts at a common column and fills the rest of the line.
void row_label(const char* label);
/// Width left in the current line.
float remaining_width();
/// The width of each of `parts` widgets on the rest of the line, with the usual gap between them.
float equal_width(int parts);

/// The width of a button that fits its label.
float button_width(std::string_view label);
/// Buttons that share the rest of the line, or of as many lines as their labels need, with at most `most` a
/// line: each gets the width of its label and an equal part of the remaining width. Construct before the
/// first button.
class ButtonRow {
 public:
  explicit ButtonRow(std::span<const char* const> labels, std::size_t most = 6);
  /// Moves to the place of the next button and returns its width.
  float next();

 private:
  float margins(std::size_t first) const;

  std::span<const char* const> labels_;
  std::size_t per_line_ = 0;
  std::size_t next_ = 0;
  float left_ = 0;
  float width_ = 0;
};

/// A slider as a field that is filled up to its value, so that its text stays readable. As ImGui::SliderFloat
/// and its like.
bool slider(const char* id, float* value, float lowest, float highest, const char* format = "%.3f",
            ImGuiSliderFlags flags = 0);
bool slider(const char* id, int* value, int lowest, int highest, const char* format = "%d",
            ImGuiSliderFlags flags = 0);
bool slider(const char* id, std::uint32_t* value, std::uint32_t lowest, std::uint32_t highest,
            const char* format = "%u", ImGuiSliderFlags flags = 0);
bool slider(const char* id, std::uint64_t* value, std::uint64_t lowest, std::uint64_t highest,
            const char* format = "%llu", ImGuiSliderFlags flags = 0);

/// One button of a row of alternatives. Returns true when the user picks it. A non-empty `disabled_reason`
/// disables it and shows on hover; otherwise `hint` does, if there is one. `accent`: of the selected one.
bool choice_button(const char* label, bool selected, float width, std::string_view disabled_reason = {},
                   std::string_view hint = {}, const glm::vec4& accent = theme::colours().accent);

/// The button of what a dialog or a panel is for, such as Run, Start, Export, Save and Apply: filled with the
/// accent. Otherwise as choice_button().
bool primary_button(const char* label, float width, std::string_view disabled_reason = {},
                    std::string_view hint = {});

/// A radio button with the same conventions.
bool choice_radio(const char* label, bool selected, std::string_view disabled_reason = {},
                  std::string_view hint = {});

/// A row with one button per choice, with its label and its hint. `disabled_reason`: of all of them.
template <typename Choice, std::size_t kCount>
void choice_row(const char* label, const std::array<Choice, kCount>& choices, Choice& present,
                const std::array<const char*, kCount>& labels, const std::array<const char*, kCount>& hints,
                std::string_view disabled_reason = {}) {
  row_label(label);
  ButtonRow line(labels);
  for (std::size_t i = 0; i < kCount; ++i) {
    ImGui::PushID(label);
    if (choice_button(labels[i], present == choices[i], line.next(), disabled_reason, hints[i]))
      present = choices[i];
    ImGui::PopID();
  }
}

/// Text in the muted colour, wrapped at the window's edge.
void note(std::string_view text);
/// Text in the warning colour, wrapped.
void warning(std::string_view text);

/// A section header. Returns false if the user has collapsed the section.
bool section(const char* title);
/// A section that is folded at first. While it is folded, `summary` is on its header.
bool folded_section(const char* title, std::string_view summary);
/// A section header with a close button, which sets `shown` to false.
bool section(const char* title, bool& shown);

// Entries of a legend as chips: items on a background of their own, with rounded ends.

/// Padding at both ends of a chip, and the gap between two.
float chip_padding();
float chip_gap();
/// The items between these two calls, on one line, are the chip's. Chips do not nest.
void begin_chip();
void end_chip();
/// A chip with the items that `content` draws.
template <typename Content>
void chip(const Content& content) {
  begin_chip();
  content();
  end_chip();
}
/// Draws a square of this colour and its meaning.
void swatch(ImU32 colour, const char* text);
/// The area of a mark of a legend, `width` font sizes wide; what follows stands beside it.
Area legend_mark(float width);
/// Draws a strip of colours in such an area; `colour_at`: of a step from 0 on.
template <typename ColourAt>
void colour_strip(float width, int steps, const ColourAt& colour_at) {
  const Area strip = legend_mark(width);
  for (int i = 0; i < steps; ++i) {
    const float x = strip.corner.x + strip.size.x * static_cast<float>(i) / static_cast<float>(steps);
    ImGui::GetWindowDrawList()->AddRectFilled(
        {x, strip.corner.y}, {x + strip.size.x / static_cast<float>(steps), strip.end().y}, colour_at(i));
  }
}

// Tables of metrics: names at the left, values at the right.

/// Begins a table; `value_width` is the width of the value column relative to the name column. If it returns
/// true, EndTable() ends the table.
bool begin_rows(const char* id, float value_width = 1);
void row(const char* name, std::string_view value, std::string_view hint = {});

/// The next row, with column titles in the muted colour: the first is left-aligned, the others right-aligned.
void muted_titles(std::initializer_list<const char*> titles);
/// Right-aligned text in the muted colour.
void muted_value(std::string_view text);

/// A bar over `share` (clamped to 0 to 1) of the table cell's width, with a text on it.
void bar(double share, std::string_view text);

}  // namespace loom::app

namespace loom::app::toolbar {

// Widths in font sizes.
inline constexpr float kGap = 0.2f;
inline constexpr float kIconWidth = 2.1f;

/// Pixels.
float in_fonts(float font_sizes);
/// The next control stands on the same line, after the gap.
void beside();
/// Play or pause, and a button that computes one generation and pauses; returns whether that was clicked.
bool play_and_step(bool& playing);

}  // namespace loom::app::toolbar

namespace loom::app {

/// Parses a decimal whole number from 0 to 2^64 - 1; nothing for signs, blanks, fractions, exponents and
/// larger numbers.
std::optional<std::uint64_t> parse_whole_number(std::string_view text);

/// State of a field between frames. An invalid text stays as typed.
struct NumberFieldState {
  std::string text;
  std::string problem;      ///< why the text is invalid, and what is allowed; empty if it is valid
  std::uint64_t value = 0;  ///< value of the text, or its last valid value
};

/// Stores `text` in the state, and its number in `value` if it is a whole number; otherwise `value` is
/// unchanged.
void type_number(NumberFieldState& state, const std::string& text, std::uint64_t& value);

/// A text field for a whole number at the cursor, with the width of the next item.
void number_field(const char* id, NumberFieldState& state, std::uint64_t& value);

/// A text field that Enter ends, which is then true. ImGui reads the whole text in every frame, so it has at
/// most kMaxFieldText bytes; longer texts cannot be pasted.
bool bounded_text_field(const char* id, std::string& text);
inline constexpr std::size_t kMaxFieldText = 40'000;

/// Colours as a strip: a palette's ramp, or its cycle.
void draw_colours(ImDrawList& list, const std::array<glm::u8vec3, 256>& colours, glm::vec2 corner,
                  glm::vec2 size);
/// The fractal at level 2 (scale boxes up to 4) or 1, in a square of `side` at `corner`.
void draw_fractal_icon(ImDrawList& list, const NbbFractal& fractal, glm::vec2 corner, float side);

}  // namespace loom::app
