#pragma once

#include <imgui.h>

#include <glm/fwd.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include "compute/geometry/nbb_fractal.h"
#include "render/palette.h"

namespace loom::app {

/// Colours as a strip: a palette's ramp, or its cycle.
void draw_colours(ImDrawList& list, const std::array<glm::u8vec3, 256>& colours, glm::vec2 corner,
                  glm::vec2 size);
/// The fractal at level 2 (scale boxes up to 4) or 1, in a square of `side` at `corner`.
void draw_fractal_icon(ImDrawList& list, const NbbFractal& fractal, glm::vec2 corner, float side);

}  // namespace loom::app
