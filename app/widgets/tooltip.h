#pragma once

#include <string>
#include <string_view>

#include "app/gui/layout.h"

namespace loom::app {

/// How long the mouse is on an item before its tooltip comes.
inline constexpr double kTooltipDelay = 0.8;  // seconds

/// A tooltip for the last item, also where that is disabled. Every tooltip of the program comes after
/// kTooltipDelay, beside its item and not over it, and goes with a click until the mouse has left the item.
void tooltip(std::string_view text);
/// The same for a part of the current window that the mouse is on.
void tooltip_of(const Area& item, std::string_view text);

/// Where a tooltip of this size goes that belongs to an item of a window: beside a window that is a column,
/// else below the item, above it, or beside it. Where no side has room, it is moved into the screen.
Area tooltip_place(const Area& item, const Area& window, const Area& screen, float width, float height,
                   float gap);

/// The tooltip of the last frame; empty texts and areas where there was none.
struct ShownTooltip {
  std::string text;
  Area item;
  Area area;
};
ShownTooltip shown_tooltip();

}  // namespace loom::app
