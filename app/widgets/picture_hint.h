#pragma once

#include <imgui.h>

#include <string_view>

#include "app/gui/layout.h"

namespace loom::app {

/// Draws a line of text in the middle of an empty picture.
void picture_hint(ImDrawList& list, const Area& picture, std::string_view text);

}  // namespace loom::app
