#pragma once

#include "app/workspaces/mandelbrot/panels/mandelbrot_method.h"
#include "app/workspaces/mandelbrot/scene/mandelbrot_settings.h"
#include "app/workspaces/mandelbrot/scene/mandelbrot_stats.h"

namespace loom::app {

/// What every user needs: the place and the tour, the dwell limit, the precision and the colouring.
void mandelbrot_basics(MandelbrotPanelState& state, MandelbrotEdit& edit, const MandelbrotStats& now);

}  // namespace loom::app
