#pragma once

#include <string>

#include "app/gui/layout.h"
#include "app/report.h"

namespace loom::app {

/// The line at the bottom: backend and why, how the picture reaches the screen and why, frames a second.
void status_line(const Area& area, const Report& report);

/// A message over the bottom of the picture (an error that left everything as it was, or a notice); false once the
/// user closes it.
bool message_banner(const Area& picture, const std::string& text);

}  // namespace loom::app
