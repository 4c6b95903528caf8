#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "app/text/text.h"

namespace loom::app {

/// "1 tile", "12 345 tiles".
Text plural(std::uint64_t count, std::string_view noun);

/// The width of one line of text, in ImGui's units.
float text_width(std::string_view text);

/// Text on one line, truncated with an ellipsis at `width`; a truncated text is shown in full on hover.
void elided_text(std::string_view text, float width);

/// `text` broken into lines of at most `width`. Lines break at blanks, but neither within a number and its
/// unit ("12.5 ms", "7.51 %") nor within a product, a sum or an equation of numbers ("512 × 512", "k = 3").
/// Newlines are kept; a word wider than a line is split. `measure` returns the width of a text; widths of
/// parts must add up.
Text break_into_lines(std::string_view text, float width,
                      const std::function<float(std::string_view)>& measure);

/// Draws text broken into lines that end at the right edge of the current window, or within `width`.
void wrapped_text(std::string_view text);
void wrapped_text(std::string_view text, float width);
/// The same in at most `lines` lines; an ellipsis replaces the rest. Returns whether all of it is shown.
bool text_in_lines(std::string_view text, float width, int lines);

/// Text that ends at the right edge of the current table cell.
void right_aligned(std::string_view text);

}  // namespace loom::app
