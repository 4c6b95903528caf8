#pragma once

#include "app/life/scene/life_facts.h"
#include "app/life/scene/life_settings.h"
#include "app/shell/dock.h"

namespace loom::app {

/// The Metrics section: frame times and launch counts, all of them or the main ones.
void timing_panel(LifeEdit& edit, const LifeFacts& report, const DockRoom& room);

}  // namespace loom::app
