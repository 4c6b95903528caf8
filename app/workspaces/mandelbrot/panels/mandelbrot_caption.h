#pragma once

#include "app/gui/layout.h"
#include "app/workspaces/mandelbrot/scene/mandelbrot_settings.h"
#include "app/workspaces/mandelbrot/scene/mandelbrot_stats.h"
#include "render/palette.h"

namespace loom::app {

/// The legend below the picture and the data of the point under the cursor. Returns its height in ImGui
/// units, 0 if it does not fit into `area`. `one_line`: for a lecture, either the legend or the
/// data of the point.
float mandelbrot_caption(const Area& area, const MandelbrotSettings& settings, const MandelbrotStats& now,
                         const render::Palette& palette, bool one_line = false);

}  // namespace loom::app
