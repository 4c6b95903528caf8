#pragma once

#include <map>
#include <string>

#include "app/gui/layout.h"
#include "app/workspaces/life/edit/cell_editor.h"
#include "app/workspaces/life/scene/life_settings.h"
#include "app/workspaces/life/scene/life_stats.h"

namespace loom::app {

/// Where its buttons are, for tests; empty while it is not shown.
using EditBarAreas = std::map<std::string, Area, std::less<>>;

/// A line below the picture while there is something to place or something is selected, with what can be done
/// to it, or where no cell lives any more, with a rule that lives. Takes the lower end of `area`; returns its
/// height, 0 where there is nothing to say.
float edit_bar(const Area& area, CellEditor& editor, LifeEdit& edit, const LifeStats& stats,
               EditBarAreas& areas);

}  // namespace loom::app
