#pragma once

#include "app/mandelbrot/scene/mandelbrot_facts.h"
#include "app/mandelbrot/scene/mandelbrot_settings.h"

namespace loom::app {

/// How dwells are computed: method, scheme, parameters, precision, backend; and the check against exhaustive.
void mandelbrot_panel(MandelbrotEdit& edit, const MandelbrotFacts& now);

}  // namespace loom::app
