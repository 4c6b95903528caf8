#pragma once

#include <cstdint>
#include <vector>

#include "app/workspaces/life/draw/generator_draft.h"

namespace loom::app {

/// The fraction, 0 to 1, of each pixel of a width x height image that a level of a draft covers; rows from
/// the top. These are areas, not samples: a part of the fractal within a pixel counts by its fraction of
/// cells. The grid is stretched to the image, or with `square_points` drawn as large as it fits with square
/// points. The time depends on the number of pixels, not on the level.
std::vector<float> level_coverage(const GeneratorDraft& draft, int level, int width, int height,
                                  bool square_points);

}  // namespace loom::app
