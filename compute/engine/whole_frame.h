#pragma once

#include "compute/engine/fractal_engine.h"

namespace loom {

/// Runs a frame synchronously, for engines that do not enqueue: calls the engine's edit(), run(), resolve()
/// and cell().
FrameReport whole_frame(FractalEngine& engine, const FrameWish& wish, Watch* watch);

}  // namespace loom
