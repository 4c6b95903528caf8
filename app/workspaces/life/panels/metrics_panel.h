#pragma once

#include "app/shell/dock.h"
#include "app/workspaces/life/scene/life_settings.h"
#include "app/workspaces/life/scene/life_stats.h"

namespace loom::app {

/// Height of the launch among the main metrics, in font sizes.
inline constexpr float kLaunchLines = 3.6f;
/// The Metrics section: frame times and launch counts, all of them or the main ones.
void metrics_panel(LifeEdit& edit, const LifeStats& report, const DockSpace& room);

}  // namespace loom::app
