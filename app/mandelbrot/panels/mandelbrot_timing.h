#pragma once

#include "app/mandelbrot/scene/mandelbrot_facts.h"
#include "app/mandelbrot/scene/mandelbrot_settings.h"
#include "app/shell/dock.h"

namespace loom::app {

/// What a computation costs: median and p95, ratio to the exhaustive method; and where there is room the
/// method, the work and the levels, and the stages of the frame.
void mandelbrot_timing(MandelbrotEdit& edit, const MandelbrotFacts& now, const DockRoom& room);

}  // namespace loom::app
