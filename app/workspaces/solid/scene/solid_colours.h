#pragma once

#include <glm/vec3.hpp>

#include "render/palette.h"
#include "render/solid_renderer.h"

namespace loom::app {

/// The colours of pixels by state, face and ambient occlusion, in a palette.
render::SolidColours solid_colours(const render::Palette& palette);

/// The colour of a pixel, as the shader computes it.
glm::u8vec3 colour_of_pixel(const render::SolidColours& colours, std::uint32_t pixel);

}  // namespace loom::app
