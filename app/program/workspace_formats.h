#pragma once

#include "app/document/scene/workspace_state.h"

namespace loom::app {

/// The formats of all workspaces, in the order in which the window lists them.
scene::Formats workspace_formats();

}  // namespace loom::app
