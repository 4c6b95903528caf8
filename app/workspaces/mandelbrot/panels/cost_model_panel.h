#pragma once

#include "app/workspaces/mandelbrot/scene/mandelbrot_settings.h"
#include "app/workspaces/mandelbrot/scene/mandelbrot_stats.h"
#include "render/palette.h"

namespace loom::app {

/// A dock section with the cost model, the measurement, and the landscapes of both over g, r and B.
void cost_model_panel(MandelbrotEdit& edit, const MandelbrotStats& now, const render::Palette& palette);

}  // namespace loom::app
