#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/gui/layout.h"
#include "app/shell/dock.h"
#include "app/shell/frame_times.h"
#include "app/workspaces/solid/panes/ray_pane.h"
#include "app/workspaces/solid/scene/solid_selection.h"
#include "app/workspaces/solid/scene/solid_settings.h"
#include "render/palette.h"

namespace loom::app {

/// What the panels show of the workspace.
struct SolidStats {
  const RayEngine& runner;
  const BackendSelection& backend;
  const FrameTimes& frames;
  const render::Palette& palette;
  int divisor = 1;  ///< of the picture's resolution
  /// Of the selected cell, under the active map.
  const SelectedThread& selected;
  std::string_view problem;  ///< why the selected configuration does not run; empty if it does
};

/// The state of the panels between frames.
struct SolidPanelState {
  std::string rule_text = {};
  std::string rule_problem = {};
  std::optional<SolidRule> written = {};  ///< the rule that the text shows
  SolidConfig listed = {};                ///< whose tile sizes these are
  std::vector<std::uint32_t> tile_sizes = {};
};

/// "Bounding box", "λ", "Compact".
const char* map_label(MapKind map);
/// The controls column.
void solid_panel(SolidPanelState& state, SolidSceneEdit& edit, const SolidStats& now, SolidCamera& camera);
/// The legend below the picture; returns its height.
float solid_caption(const Area& area, const SolidSceneEdit& edit, const SolidStats& now);
/// The thread of the selected cell, and lambda level by level for its tile.
void solid_thread_panel(SolidSceneEdit& edit, const SolidStats& now);
/// The metrics.
void solid_metrics(SolidSceneEdit& edit, const SolidStats& now, const DockSpace& room);

}  // namespace loom::app
