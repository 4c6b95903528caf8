#pragma once

#include "app/life/scene/block_space.h"
#include "compute/map/map_kind.h"

namespace loom::app {

/// What `map` launches as a bar whose whole length is the bounding box: blocks with cells, blocks launched
/// for nothing, and the rest that is not launched; with the shape of the grid in words.
/// `count`: of that launch.
void launch_diagram(const BlockSpace& space, MapKind map, const LaunchCount& count);

}  // namespace loom::app
