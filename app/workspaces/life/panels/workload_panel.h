#pragma once

#include "app/workspaces/life/panels/basics_panel.h"

namespace loom::app {

/// The workload, its progress, and editing of cells.
void workload_panel(BasicsPanelState& basics, LifeEdit& edit, const LifeStats& report);

}  // namespace loom::app
