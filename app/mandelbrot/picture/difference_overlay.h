#pragma once

#include <imgui.h>

#include <cstddef>

#include "app/gui/layout.h"
#include "compute/engine/mandelbrot_engine.h"

namespace loom::app {

/// So many pixels that differ have a ring each; of more, rings would hide each other and the picture.
inline constexpr std::size_t kMostRings = 500;
/// Squares on an axis of the picture, where more differ: those with such pixels are tinted.
inline constexpr int kSquares = 128;

/// Marks the pixels that differ from the exhaustive method over a picture that covers `area`, `scale` pixels
/// a unit: by rings, or where they are more than kMostRings by the squares in which they are, no smaller than
/// a ring.
void draw_differences(ImDrawList& list, const Area& area, float scale, const DwellDifferences& differences);

}  // namespace loom::app
