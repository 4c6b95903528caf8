#pragma once

#include <map>
#include <string>

#include "app/gui/layout.h"
#include "app/workspaces/life/edit/cell_editor.h"
#include "app/workspaces/life/scene/life_settings.h"
#include "app/workspaces/life/scene/life_stats.h"

namespace loom::app {

/// Areas of the bar's buttons, for tests; empty while it is hidden.
using EditBarAreas = std::map<std::string, Area, std::less<>>;

/// A bar below the picture: commands for the pattern to be placed or for the selection; or, if all cells are
/// dead, a rule that survives. Takes the lower end of `area`; returns its height, 0 if there is nothing to
/// show.
float edit_bar(const Area& area, CellEditor& editor, LifeEdit& edit, const LifeStats& stats,
               EditBarAreas& areas);

}  // namespace loom::app
