#pragma once

#include "app/palette/window/palette_editor.h"
#include "app/workspaces/mandelbrot/scene/mandelbrot_settings.h"
#include "app/workspaces/mandelbrot/scene/mandelbrot_stats.h"

namespace loom::app {

/// Navigation (history, tour), colours and overlays of the picture.
void picture_panel(MandelbrotEdit& edit, const MandelbrotStats& now, PaletteEditor& palette);

}  // namespace loom::app
