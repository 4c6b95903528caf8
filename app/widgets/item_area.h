#pragma once

#include "app/gui/layout.h"

namespace loom::app {

/// Where ImGui's last item is, in window units.
Area item_area();

}  // namespace loom::app
