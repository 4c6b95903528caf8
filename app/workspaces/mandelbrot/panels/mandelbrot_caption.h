#pragma once

#include "app/gui/layout.h"
#include "app/widgets/picture.h"
#include "app/workspaces/mandelbrot/scene/mandelbrot_settings.h"
#include "app/workspaces/mandelbrot/scene/mandelbrot_stats.h"
#include "render/palette.h"

namespace loom::app {

/// Draws the legend over the picture: colours, and marks of the regions. `inset`: the area of the Julia set.
void mandelbrot_legend(PictureLegend& legend, const Area& picture, const Area& inset,
                       const MandelbrotSettings& settings, const MandelbrotStats& now,
                       const render::Palette& palette);

/// Describes the point under the cursor at the bottom of `area`, or the state of the computation. Returns its
/// height in ImGui units, 0 if it does not fit into `area`. `one_line`: for a lecture.
float mandelbrot_caption(const Area& area, const MandelbrotSettings& settings, const MandelbrotStats& now,
                         bool one_line = false);

}  // namespace loom::app
