#pragma once

#include <imgui.h>

#include "app/gui/layout.h"
#include "app/mandelbrot/scene/warp_waits.h"
#include "render/colour_texture.h"

namespace loom::app {

/// Uploads divergence as colours, pixel by pixel; transparent where nothing is computed.
void upload_waits(const WaitCounts& counts, render::ColourTexture& texture);

/// Draws it over a picture that begins at the corner of `area` and has `scale` pixels per unit.
void draw_waits(ImDrawList& list, const Area& area, float scale, const WaitCounts& counts,
                const render::ColourTexture& texture);

}  // namespace loom::app
