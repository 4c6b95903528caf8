#pragma once

#include "app/gui/layout.h"
#include "app/palette/window/palette_editor.h"
#include "app/shell/setting_rows.h"
#include "app/workspaces/life/panes/secondary_panes.h"
#include "app/workspaces/life/panes/timing_panes.h"
#include "app/workspaces/life/scene/life_settings.h"
#include "app/workspaces/life/scene/life_stats.h"

namespace loom::app {

/// State of the panel between frames.
struct ViewPanelState {
  TextSizeState text_size;
  PaletteEditor palette;
};

/// Palette, overlays, fit and text size.
void view_panel(ViewPanelState& state, LifeEdit& edit, const LifeStats& stats);

/// State of the section between frames.
struct DevicesPanelState {
  DeviceTimelineView lanes;
  Area again;  ///< the button, for tests; empty while it is hidden
};

/// The pane whose devices the dock shows: the active pane, or the first secondary pane with several devices;
/// null if there is none.
const Pane* pane_with_devices(const Pane& scene, const SecondaryPanes& secondary_panes);

/// The dock's section: times of step, exchange and wait per device in one generation.
void devices_panel(DevicesPanelState& state, LifeEdit& edit, const Pane& pane);

}  // namespace loom::app
