#pragma once

#include <imgui.h>

#include <glm/vec2.hpp>

#include "compute/geometry/nbb_fractal.h"

namespace loom::app {

/// The fractal at level 2 (scale boxes up to 4) or 1, in a square of `side` at `corner`.
void draw_fractal_icon(ImDrawList& list, const NbbFractal& fractal, glm::vec2 corner, float side);

}  // namespace loom::app
