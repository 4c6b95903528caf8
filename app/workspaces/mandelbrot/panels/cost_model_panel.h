#pragma once

#include "app/workspaces/mandelbrot/scene/mandelbrot_settings.h"
#include "app/workspaces/mandelbrot/scene/mandelbrot_stats.h"

namespace loom::app {

/// A dock section with the cost model, the measurement, and the landscapes of both over g, r and B.
void cost_model_panel(MandelbrotEdit& edit, const MandelbrotStats& now);

}  // namespace loom::app
