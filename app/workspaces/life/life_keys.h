#pragma once

#include "app/shell/shortcuts.h"
#include "app/workspaces/life/scene/life_settings.h"

namespace loom::app {

/// The keys and mouse gestures of the Life workspace.
Shortcuts<LifeEdit> life_shortcuts();
std::span<const KeyHelp> life_gestures();

}  // namespace loom::app
