#pragma once

#include "app/gui/layout.h"
#include "app/life/scene/life_settings.h"

namespace loom::app {

/// All keys and mouse gestures, over the middle of `area`; the window's cross closes it.
void help_panel(const Area& area, ViewSettings& view, Workspace workspace);

}  // namespace loom::app
