#pragma once

#include <span>

#include "app/workspaces/mandelbrot/scene/mandelbrot_settings.h"
#include "compute/core/field.h"

namespace loom::app {

// The settings of the workspace except its MandelbrotConfig, which has fields of its own
// (compute/mandelbrot/mandelbrot_fields.h).

/// How dwells are coloured, in the window and in an image without one.
std::span<const Field<MandelbrotSettings>> dwell_colour_fields();
/// What the window shows and when it computes.
std::span<const Field<MandelbrotSettings>> mandelbrot_window_fields();

}  // namespace loom::app
