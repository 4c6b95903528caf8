#pragma once

#include "app/gui/layout.h"
#include "app/life/panes/device_lanes.h"
#include "app/life/panes/panes_beside.h"
#include "app/life/scene/life_facts.h"
#include "app/life/scene/life_settings.h"

namespace loom::app {

/// What the section remembers between frames.
struct DevicesPanelState {
  DeviceLanes lanes;
  Area again;  ///< the button, for tests; empty where it is not shown
};

/// Whose devices the dock tells of: the scene's, or those of the first pane beside it that has several; null
/// where none has.
const Pane* pane_of_devices(const Pane& scene, const PanesBeside& beside);

/// The dock's section: of each device that shares the cells step, exchange and wait in a generation.
void devices_panel(DevicesPanelState& state, LifeEdit& edit, const Pane& pane);
/// Its height, in font sizes.
float devices_panel_lines(std::size_t devices);

}  // namespace loom::app
