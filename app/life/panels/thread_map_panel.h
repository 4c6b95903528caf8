#pragma once

#include "app/life/scene/life_facts.h"
#include "app/life/scene/life_settings.h"

namespace loom::app {

/// Which thread map, block size, halo and backend; and what a thread does under the map.
void thread_map_panel(LifeEdit& edit, const LifeFacts& report);

}  // namespace loom::app
