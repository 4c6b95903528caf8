#pragma once

#include <imgui.h>

#include "app/gui/layout.h"
#include "app/workspaces/mandelbrot/scene/warp_divergence.h"
#include "render/colour_texture.h"

namespace loom::app {

/// Uploads divergence as colours, pixel by pixel; transparent where nothing is computed.
void upload_divergence(const DivergenceCounts& counts, render::ColourTexture& texture);

/// Draws it over a picture that begins at the corner of `area` and has `scale` pixels per unit.
void draw_divergence(ImDrawList& list, const Area& area, float scale, const DivergenceCounts& counts,
                     const render::ColourTexture& texture);

}  // namespace loom::app
