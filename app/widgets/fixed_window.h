#pragma once

#include <imgui.h>

#include <map>
#include <string>

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

/// Begins a modal dialog of `width` font sizes, or less if the window is narrower. `top`: position of its top
/// edge as a fraction of the window's height; it stays when the dialog grows. `begin` opens the dialog and is
/// reset. Returns false while the dialog is closed; otherwise call end_dialog().
bool begin_dialog(const char* title, bool& begin, float width, float top);
/// Whether Enter was pressed in this dialog and is used neither by a text field nor by a control with the
/// keyboard focus.
bool is_enter_available();
/// Ends the dialog. `areas`: areas of its items; cleared in the first frame, which determines its size.
void end_dialog(std::map<std::string, Area, std::less<>>& areas);

}  // namespace loom::app
