#pragma once

#include <imgui.h>

#include "app/gui/layout.h"

namespace loom::app {

/// Begins a window with a fixed area, without a frame and behind other windows; End() ends it. `more`:
/// additional flags.
void begin_fixed_window(const char* id, const Area& area, ImGuiWindowFlags more);

/// A fixed window for mouse input only, without scroll bars: captions, headers, the status line. It does not
/// close an open list.
void begin_bar(const char* id, const Area& area, ImGuiWindowFlags more = ImGuiWindowFlags_None);

/// Begins a caption at the lower edge of `area`, which keeps its height whatever its text is: room for
/// `longest` font sizes of text on up to three lines, or with `one_line` for one line. Returns the height; 0,
/// without a window, if the area is too small.
float begin_caption(const char* id, const Area& area, float longest, bool one_line);

}  // namespace loom::app
