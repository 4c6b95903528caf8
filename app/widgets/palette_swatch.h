#pragma once

#include <imgui.h>

#include "render/palette.h"

namespace loom::app {

/// The palette's ramp as a strip.
void draw_palette(ImDrawList& list, const render::Palette& palette, ImVec2 corner, ImVec2 size);

/// The hole's colour and the ramp with what its ends mean, in one line of text.
void palette_legend(const render::Palette& palette);
float palette_legend_width();

}  // namespace loom::app
