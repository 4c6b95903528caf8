#pragma once

#include "compute/map/map_method.h"

namespace loom {

/// A map with the settings that were measured to be the fastest on GPU and CPU; tiles are automatic. The
/// bounding box has no such settings and gets those of lambda, so that a switch to lambda uses them.
MapMethod fastest_method(MapKind map);

/// The same for three dimensions.
MapMethod fastest_solid_method(MapKind map);

}  // namespace loom
