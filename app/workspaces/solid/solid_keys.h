#pragma once

#include "app/shell/shortcuts.h"
#include "app/workspaces/solid/scene/solid_settings.h"

namespace loom::app {

/// The keys of the 3-D workspace, and the help for its mouse gestures.
Shortcuts<SolidSceneEdit> solid_shortcuts();
std::span<const KeyHelp> solid_gestures();

}  // namespace loom::app
