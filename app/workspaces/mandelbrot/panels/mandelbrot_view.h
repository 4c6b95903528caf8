#pragma once

#include "app/palette/window/palette_editor.h"
#include "app/workspaces/mandelbrot/panels/mandelbrot_method.h"
#include "app/workspaces/mandelbrot/scene/mandelbrot_settings.h"
#include "app/workspaces/mandelbrot/scene/mandelbrot_stats.h"

namespace loom::app {

/// Colours, overlays of the picture, what is shown beside it, and the text size.
void mandelbrot_view(MandelbrotPanelState& state, MandelbrotEdit& edit, const MandelbrotStats& now,
                     PaletteEditor& palette);

}  // namespace loom::app
