#pragma once

#include <span>

#include "app/gui/layout.h"
#include "app/shell/menu_bar.h"
#include "app/shell/shortcuts.h"

namespace loom::app {

/// Lists all keys and mouse gestures over the middle of `area`. Closing the panel sets `shown` to false.
void help_panel(const Area& area, bool& shown, std::span<const CommandSource> sources,
                std::span<const KeyHelp> gestures);

}  // namespace loom::app
