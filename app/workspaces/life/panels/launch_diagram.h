#pragma once

#include "app/workspaces/life/scene/thread_explanation.h"
#include "compute/map/map_method.h"

namespace loom::app {

/// Draws the launch of a method as a bar whose length is the bounding box: tiles with cells, empty tiles, and
/// tiles that are not launched; then the shape of the grid as text. `count`: counts of that launch.
void launch_diagram(const TileGrid& space, const MapMethod& method, const LaunchCount& count);

}  // namespace loom::app
