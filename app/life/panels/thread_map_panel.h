#pragma once

#include "app/life/report.h"
#include "app/shell/edit.h"

namespace loom::app {

/// Which thread map, block size, halo and backend; and what a thread does under the map.
void thread_map_panel(Edit& edit, const Report& report);

/// "bounding box", "λ", "compact": as the panels write them.
const char* label_of(MapKind map);

}  // namespace loom::app
