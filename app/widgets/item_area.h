#pragma once

#include "app/gui/layout.h"

namespace loom::app {

/// The area of ImGui's last item, in window units.
Area item_area();

}  // namespace loom::app
