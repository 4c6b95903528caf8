#pragma once

#include <imgui.h>

#include "app/gui/layout.h"
#include "app/mandelbrot/scene/warp_waits.h"
#include "render/colour_texture.h"

namespace loom::app {

/// The shares of waiting as colours, pixel by pixel; clear where nothing is computed.
void upload_waits(const WaitCounts& counts, render::ColourTexture& texture);

/// Over a picture that begins at the corner of `area`, `scale` pixels a unit.
void draw_waits(ImDrawList& list, const Area& area, float scale, const WaitCounts& counts,
                const render::ColourTexture& texture);

}  // namespace loom::app
