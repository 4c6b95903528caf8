#pragma once

#include "compute/engine/fractal_engine.h"

namespace loom {

/// A frame call by call, for engines that do not enqueue: `engine`'s own edit(), run(), resolve() and cell().
FrameReport whole_frame(FractalEngine& engine, const FrameWish& wish, Watch* watch);

}  // namespace loom
