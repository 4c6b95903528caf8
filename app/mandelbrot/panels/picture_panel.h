#pragma once

#include "app/mandelbrot/scene/mandelbrot_facts.h"
#include "app/mandelbrot/scene/mandelbrot_settings.h"
#include "app/palette/window/palette_editor.h"

namespace loom::app {

/// Navigation (history, tour), colours and overlays of the picture.
void picture_panel(MandelbrotEdit& edit, const MandelbrotFacts& now, PaletteEditor& palette);

}  // namespace loom::app
