#pragma once

#include <glm/vec3.hpp>

#include "compute/solid/solid_view.h"
#include "render/palette.h"
#include "render/renderers.h"

namespace loom::app {

/// The colours of pixels in a palette; those of colour values are for a colouring. `background`: where there
/// is no cell, and of the haze; lighter at the top of the picture and darker at the bottom.
render::SolidColours solid_colours(const render::Palette& palette, SolidColouring colouring,
                                   glm::u8vec3 background);

/// The colour of a pixel in a row of a picture of `rows`, as the shader computes it.
glm::u8vec3 colour_of_pixel(const render::SolidColours& colours, std::uint32_t pixel, int row, int rows);

}  // namespace loom::app
