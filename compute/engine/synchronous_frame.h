#pragma once

#include "compute/engine/fractal_engine.h"

namespace loom {

/// Runs a frame synchronously, for engines that do not enqueue: calls the engine's edit(), run(), resolve()
/// and cell().
FrameReport run_synchronous_frame(FractalEngine& engine, const FrameRequest& request,
                                  ProgressMonitor* monitor);

}  // namespace loom
