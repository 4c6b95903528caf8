#pragma once

#include "app/shell/shortcuts.h"
#include "app/workspaces/life/scene/life_settings.h"
#include "app/workspaces/solid/scene/solid_settings.h"

namespace loom::app {

/// The keys and mouse gestures of life in two and in three dimensions.
Shortcuts<LifeEdit> life_shortcuts();
std::span<const KeyHelp> life_gestures();
Shortcuts<SolidSceneEdit> solid_shortcuts();
std::span<const KeyHelp> solid_gestures();

}  // namespace loom::app
