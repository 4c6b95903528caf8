#pragma once

#include "compute/engine/mandelbrot_engine.h"
#include "render/png.h"

namespace loom::app {

/// Throws InputError where a side passes 16384.
void check_picture_size(const MandelbrotView& view);

/// The engine's dwells in the first palette: the logarithm of the dwell over the ramp, the limit in the
/// colour of holes.
render::RgbImage dwell_picture(const MandelbrotEngine& engine);

}  // namespace loom::app
