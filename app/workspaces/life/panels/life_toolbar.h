#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>

#include "app/gui/layout.h"
#include "app/workspaces/life/edit/cell_editor.h"
#include "app/workspaces/life/scene/life_settings.h"
#include "app/workspaces/life/scene/life_stats.h"
#include "app/workspaces/solid/scene/solid_settings.h"

namespace loom::app {

/// State of the toolbar between frames.
struct LifeToolbarState {
  int level = -1;  ///< level under the slider while it is dragged; applied on release
  bool dragging = false;
};

/// Groups of the toolbar, in two and three dimensions: playback and speed; the map; fractal and level;
/// comparison and explanation. The widths are in font sizes. `brief`: buttons with an icon have no text.
/// `extra`: the fractal of --fractal-file, or null.
std::span<const float> life_toolbar_groups(bool brief);
void life_toolbar_group(std::size_t group, bool brief, LifeToolbarState& state, LifeEdit& edit,
                        const LifeStats& stats, const NbbFractal* extra);
std::span<const float> solid_toolbar_groups(bool brief);
void solid_toolbar_group(std::size_t group, bool brief, LifeToolbarState& state, SolidSceneEdit& edit);

/// Areas of the bar's buttons, for tests; empty while it is hidden.
using EditBarAreas = std::map<std::string, Area, std::less<>>;

/// A bar below the picture: commands for the pattern to be placed or for the selection; or, if all cells are
/// dead, a rule that survives. Takes the lower end of `area`; returns its height, 0 if there is nothing to
/// show.
float edit_bar(const Area& area, CellEditor& editor, LifeEdit& edit, const LifeStats& stats,
               EditBarAreas& areas);

}  // namespace loom::app
