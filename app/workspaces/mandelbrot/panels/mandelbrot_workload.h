#pragma once

#include "app/workspaces/mandelbrot/scene/mandelbrot_settings.h"
#include "app/workspaces/mandelbrot/scene/mandelbrot_stats.h"

namespace loom::app {

/// What is computed for each pixel, and the comparison of the result with the exhaustive method.
void mandelbrot_workload(MandelbrotEdit& edit, const MandelbrotStats& now);

}  // namespace loom::app
