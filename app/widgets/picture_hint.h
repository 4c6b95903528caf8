#pragma once

#include <imgui.h>

#include <string_view>

#include "app/gui/layout.h"

namespace loom::app {

/// A line in the middle of a picture in which there is nothing to see.
void picture_hint(ImDrawList& list, const Area& picture, std::string_view text);

}  // namespace loom::app
