#pragma once

#include <map>
#include <string>

#include "app/gui/layout.h"
#include "app/workspaces/life/scene/life_settings.h"
#include "app/workspaces/life/scene/life_stats.h"

namespace loom::app {

/// Areas of the rows of a pane's settings, for tests; empty while they are hidden.
using PaneMethodAreas = std::map<std::string, Area, std::less<>>;

/// The rows of a pane's overriding settings: all method fields of the command line, tile size and backend. A
/// value that is not possible with the others is disabled and shows the reason.
void pane_method_rows(PaneSpec& spec, const FractalConfig& scene, const LifeStats& report,
                      PaneMethodAreas& areas);

}  // namespace loom::app
