#pragma once

#include "app/mandelbrot/scene/mandelbrot_facts.h"
#include "app/mandelbrot/scene/mandelbrot_settings.h"
#include "render/palette.h"

namespace loom::app {

/// The cost model beside the measurement, and both as landscapes over g, r and B: a section of the dock.
void cost_model_panel(MandelbrotEdit& edit, const MandelbrotFacts& now, const render::Palette& palette);

}  // namespace loom::app
