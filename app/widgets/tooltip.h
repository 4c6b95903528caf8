#pragma once

#include <glm/vec2.hpp>
#include <string>
#include <string_view>

#include "app/gui/layout.h"

namespace loom::app {

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

}  // namespace loom::app
