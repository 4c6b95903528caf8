#pragma once

#include <optional>
#include <vector>

#include "app/workspaces/life/panels/memory_strips.h"
#include "app/workspaces/life/panes/secondary_panes.h"
#include "app/workspaces/life/scene/life_stats.h"

namespace loom::app {

/// Height of a score with its memory strip in font sizes; 0 if there is nothing to compare.
float scoreboard_height(const SecondaryPanes& panes);
/// Below each pane of cells: time per generation, threads and memory as bars, with one scale for all panes,
/// and their ratios to the pane of the bounding box. The best value is marked. Below them the memory strips,
/// which mark the byte of `cell`.
void scoreboard(const LifeStats& stats, const SecondaryPanes& panes, const std::vector<PaneArea>& areas,
                MemoryStrips& strips, const std::optional<Coord64>& cell);

/// Whether there are scores, but no room for them below the panes; then they are a section of the dock.
bool needs_scoreboard_section(const SecondaryPanes& panes, const std::vector<PaneArea>& areas);
void scoreboard_section(const LifeStats& stats, const SecondaryPanes& panes, MemoryStrips& strips,
                        const std::optional<Coord64>& cell);

}  // namespace loom::app
