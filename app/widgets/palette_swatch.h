#pragma once

#include <imgui.h>

#include "render/palette.h"

namespace loom::app {

/// The palette's ramp as a strip.
void draw_palette(ImDrawList& list, const render::Palette& palette, ImVec2 corner, ImVec2 size);

/// The ramp over the line's width with what its ends and the hole's colour mean.
void palette_legend(const render::Palette& palette);

}  // namespace loom::app
