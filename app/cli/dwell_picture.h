#pragma once

#include "compute/engine/mandelbrot_engine.h"
#include "render/png.h"

namespace loom::app {

/// Throws InputError where a side passes 16384.
void check_picture_size(const MandelbrotView& view);

/// The engine's dwells as the window first shows them: in bands of the first palette.
render::RgbImage dwell_picture(const MandelbrotEngine& engine);

}  // namespace loom::app
