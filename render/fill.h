#pragma once

#include <glm/vec2.hpp>

#include "render/gl/object.h"
#include "render/gl/program.h"
#include "render/rect.h"

namespace loom::render {

/// Sets the state in which fragments' colours are written to the framebuffer unchanged, whatever was drawn
/// before.
void write_plain_colours();
/// Runs the program for every pixel of `target` (y downwards), by one triangle without attributes; `none` is
/// a vertex array without vertices. OpenGL clips to the framebuffer, and fragments keep their window
/// coordinates. Leaves no program or array bound, and the whole framebuffer as the viewport.
void fill(const Program& program, const VertexArray& none, Rect<int> target, glm::ivec2 framebuffer);

}  // namespace loom::render
