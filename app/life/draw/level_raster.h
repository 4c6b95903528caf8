#pragma once

#include <cstdint>
#include <vector>

#include "app/life/draw/generator_draft.h"

namespace loom::app {

/// How much of each pixel of a width x height picture a level of a draft covers, 0 to 1, rows from the top:
/// areas, not samples. The box is stretched to the picture, or with `square_points` as large as it fits with
/// points as wide as high. Takes time by the pixels, whatever the level; a part of the fractal within a pixel
/// counts by its share of cells.
std::vector<float> level_coverage(const GeneratorDraft& draft, int level, int width, int height,
                                  bool square_points);

}  // namespace loom::app
