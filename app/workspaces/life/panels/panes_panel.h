#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "app/gui/layout.h"
#include "app/text/text.h"
#include "app/workspaces/life/panels/pane_method.h"
#include "app/workspaces/life/panes/secondary_panes.h"
#include "app/workspaces/life/scene/life_settings.h"
#include "app/workspaces/life/scene/life_stats.h"

namespace loom::app {

/// In rows and columns, so that the pictures are as large as they can be. One pane alone has no header.
void layout_panes(const Area& area, std::size_t count, float font_size, std::vector<PaneArea>& areas);

/// The controls' section: the presets, and one more pane.
void panes_section(LifeEdit& edit, const LifeStats& report);
/// State of the headers between frames.
struct PaneHeaderState {
  std::optional<std::size_t> method_of;  ///< the pane whose own method is shown
  std::size_t next = 0;                  ///< that the key opens next
  PaneMethodAreas method_areas;
  std::array<Text, kMaxPanes> shown = {};  ///< text of each header
  std::array<bool, kMaxPanes> cut = {};    ///< and whether that is cut off
};
/// The lines over the panes: what each runs, whether it agrees with the scene, and buttons that show its own
/// method, make that the scene's, or close it.
void pane_headers(PaneHeaderState& state, LifeEdit& edit, const LifeStats& report,
                  const SecondaryPanes& secondary_panes, const std::vector<PaneArea>& areas);
/// The dock's section: step times, threads and bytes of all panes as bars; nothing for one pane.
void panes_stats(const LifeStats& report, const SecondaryPanes& secondary_panes);
/// Height in font sizes with `beside` secondary panes.
float panes_stats_lines(std::size_t secondary_panes);

}  // namespace loom::app
