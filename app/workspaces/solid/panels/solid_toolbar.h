#pragma once

#include <cstddef>
#include <span>

#include "app/workspaces/solid/scene/solid_settings.h"

namespace loom::app {

/// The widths of the toolbar's groups, in font sizes. `brief`: buttons with an icon have no text.
std::span<const float> solid_toolbar_groups(bool brief);
void solid_toolbar_group(std::size_t group, SolidSceneEdit& edit, bool brief);

}  // namespace loom::app
