#pragma once

#include <cstdint>
#include <functional>
#include <glm/vec2.hpp>
#include <string>
#include <string_view>

#include "app/gui/layout.h"
#include "app/text/text.h"

namespace loom::app {

/// "1 tile", "12 345 tiles".
Text plural(std::uint64_t count, std::string_view noun);

/// The width of one line of text, in ImGui's units.
float text_width(std::string_view text);

/// The text with the letters of ω_x, s_y and the like as subscripts, for the screen alone. The functions
/// below that wrap or align text, and labels, tooltips and diagrams, use it.
Text with_subscripts(std::string_view text);

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

/// How long the mouse must be on an item before its tooltip appears.
inline constexpr double kTooltipDelay = 0.8;  // seconds

/// A tooltip for the last item, disabled ones too. All tooltips appear after kTooltipDelay, next to their
/// item, and disappear on a click until the mouse has left the item.
void tooltip(std::string_view text);
/// A tooltip for an area of the current window under the mouse.
void tooltip_of(const Area& item, std::string_view text);

/// The area of a tooltip of this size for an item: beside a window that is a column, otherwise below, above
/// or beside the item. Moved into the screen if no side has room.
Area tooltip_area(const Area& item, const Area& window, const Area& screen, glm::vec2 size, float gap);

/// The tooltip of the last frame; empty texts and areas if there was none.
struct ShownTooltip {
  std::string text;
  Area item;
  Area area;
};
ShownTooltip shown_tooltip();

/// The area of ImGui's last item, in window units.
Area item_area();

}  // namespace loom::app
