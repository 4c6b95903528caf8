#pragma once

#include "app/life/scene/life_settings.h"
#include "app/shell/shortcuts.h"

namespace loom::app {

/// The keys of the Life workspace, and what the mouse does over its picture.
Shortcuts<LifeEdit> life_shortcuts();
std::span<const KeyHelp> life_gestures();

}  // namespace loom::app
