#pragma once

#include "app/gui/layout.h"
#include "app/mandelbrot/scene/mandelbrot_facts.h"
#include "app/mandelbrot/scene/mandelbrot_settings.h"
#include "render/palette.h"

namespace loom::app {

/// The line below the picture: what the colours mean, and the point under the cursor. Returns its height; 0
/// where `area` has no room for it.
float mandelbrot_caption(const Area& area, const MandelbrotSettings& settings, const MandelbrotFacts& now,
                         const render::Palette& palette);

}  // namespace loom::app
