#pragma once

#include <map>
#include <string>

#include "app/gui/layout.h"

namespace loom::app {

/// Begins a dialog, which the rest of the window waits for: `width` font sizes wide, or as the window has
/// room. Its top is so far down, as a share of the window's height, and stays there when a line is added
/// below. `begin` opens it and is taken back. False while it is closed; else end_dialog() ends it.
bool begin_dialog(const char* title, bool& begin, float width, float top);
/// Whether Enter was pressed in this dialog, and neither a field nor a control that the keys are on takes it.
bool is_enter_available();
/// Ends the dialog. `places`: areas of its items; cleared in its first frame, which determines its size.
void end_dialog(std::map<std::string, Area, std::less<>>& areas);

}  // namespace loom::app
