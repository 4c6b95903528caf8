#pragma once

#include "app/mandelbrot/scene/mandelbrot_facts.h"
#include "app/mandelbrot/scene/mandelbrot_settings.h"
#include "render/palette.h"

namespace loom::app {

/// A dock section with the cost model, the measurement, and the landscapes of both over g, r and B.
void cost_model_panel(MandelbrotEdit& edit, const MandelbrotFacts& now, const render::Palette& palette);

}  // namespace loom::app
