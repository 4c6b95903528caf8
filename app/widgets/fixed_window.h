#pragma once

#include <imgui.h>

#include "app/gui/layout.h"

namespace loom::app {

/// Begins a window that stands at its place, without a frame and behind what is opened; End() ends it. `more`
/// are further flags.
void begin_fixed_window(const char* id, const Area& area, ImGuiWindowFlags more);

/// One that only the mouse works, without scroll bars: captions, headers, the status line. Beside an open
/// list it appears without closing it.
void begin_bar(const char* id, const Area& area, ImGuiWindowFlags more = ImGuiWindowFlags_None);

}  // namespace loom::app
