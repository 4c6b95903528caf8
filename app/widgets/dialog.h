#pragma once

#include <map>
#include <string>

#include "app/gui/layout.h"

namespace loom::app {

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
