#pragma once

#include <imgui.h>

#include <cstddef>

#include "app/gui/layout.h"
#include "compute/engine/mandelbrot_engine.h"

namespace loom::app {

/// Up to this number of differing pixels, each has a ring; more rings would hide each other and the picture.
inline constexpr std::size_t kMaxRings = 500;
/// Squares per axis; above kMaxRings, squares with differing pixels are tinted.
inline constexpr int kSquares = 128;

/// Marks the pixels that differ from the exhaustive method, over a picture that covers `area` with `scale`
/// pixels per unit: with rings, or above kMaxRings with squares that are no smaller than a ring.
void draw_differences(ImDrawList& list, const Area& area, float scale, const DwellDifferences& differences);

}  // namespace loom::app
