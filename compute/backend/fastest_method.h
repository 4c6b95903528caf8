#pragma once

#include "compute/map/map_method.h"

namespace loom {

/// A map with the choices with which it was measured to be fastest, on the GPU and on the CPU alike; tiles
/// are automatic. The bounding box has none; it gets those of lambda, so that a switch to lambda finds them.
MapMethod fastest_method(MapKind map);

}  // namespace loom
