#pragma once

#include <string>
#include <string_view>

#include "app/gui/layout.h"
#include "app/life/scene/life_facts.h"
#include "app/shell/edit.h"

namespace loom::app {

/// The line at the bottom: backend and why, how the picture reaches the screen and why, frames a second,
/// and a way to the list of keys.
void status_line(const Area& area, Edit& edit, const Report& report);

/// Over the top of the picture: why it is wrong; nothing where `text` is empty.
void wrong_banner(const Area& picture, std::string_view text);

/// A message over the bottom of the picture (an error that left everything as it was, or a notice); false
/// once the user closes it.
bool message_banner(const Area& picture, const std::string& text);

}  // namespace loom::app
