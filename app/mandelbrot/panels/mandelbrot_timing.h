#pragma once

#include "app/mandelbrot/scene/mandelbrot_facts.h"
#include "app/mandelbrot/scene/mandelbrot_settings.h"
#include "app/shell/dock.h"

namespace loom::app {

/// The cost of a computation: median, p95 and ratio to the exhaustive method; with enough room also the
/// method, the work, the levels and the stages of the frame.
void mandelbrot_timing(MandelbrotEdit& edit, const MandelbrotFacts& now, const DockRoom& room);

}  // namespace loom::app
