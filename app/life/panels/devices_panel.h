#pragma once

#include "app/gui/layout.h"
#include "app/life/panes/device_lanes.h"
#include "app/life/panes/panes_beside.h"
#include "app/life/scene/life_facts.h"
#include "app/life/scene/life_settings.h"

namespace loom::app {

/// State of the section between frames.
struct DevicesPanelState {
  DeviceLanes lanes;
  Area again;  ///< the button, for tests; empty where it is not shown
};

/// The pane whose devices the dock shows: the active pane, or the first secondary pane with several devices;
/// null if there is none.
const Pane* pane_of_devices(const Pane& scene, const PanesBeside& beside);

/// The dock's section: of each device that shares the cells step, exchange and wait in a generation.
void devices_panel(DevicesPanelState& state, LifeEdit& edit, const Pane& pane);
/// Its height, in font sizes.
float devices_panel_lines(std::size_t devices);

}  // namespace loom::app
