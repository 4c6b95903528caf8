#pragma once

#include "app/mandelbrot/scene/mandelbrot_facts.h"
#include "app/mandelbrot/scene/mandelbrot_settings.h"
#include "app/palette/window/palette_editor.h"

namespace loom::app {

/// Where the explorer looks (history, tour), how the picture is coloured and what is drawn over it.
void picture_panel(MandelbrotEdit& edit, const MandelbrotFacts& now, PaletteEditor& palette);

}  // namespace loom::app
