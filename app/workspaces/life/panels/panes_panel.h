#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "app/gui/layout.h"
#include "app/text/text.h"
#include "app/workspaces/life/panels/method_panel.h"
#include "app/workspaces/life/panes/secondary_panes.h"
#include "app/workspaces/life/scene/life_settings.h"
#include "app/workspaces/life/scene/life_stats.h"

namespace loom::app {

/// The section with the pane presets and the button that adds a pane.
void panes_section(LifeEdit& edit, const LifeStats& report);
/// State of the headers between frames.
struct PaneHeaderState {
  std::optional<std::size_t> method_of;  ///< the pane whose settings are open
  std::size_t next = 0;                  ///< the pane whose settings the key opens next
  PaneMethodAreas method_areas;
  std::array<Text, kMaxPanes> shown = {};  ///< text of each header
  std::array<bool, kMaxPanes> cut = {};    ///< whether that text is cut off
};
/// The headers of the panes: what each runs, whether it agrees with the scene, and buttons that open its
/// settings, make it the active pane, or close it.
void pane_headers(PaneHeaderState& state, LifeEdit& edit, const LifeStats& report,
                  const SecondaryPanes& secondary_panes, const std::vector<PaneArea>& areas);

}  // namespace loom::app
