#include "render/fill.h"

namespace loom::render {

void write_plain_colours() {
  glDisable(GL_BLEND);
  glDisable(GL_CULL_FACE);
  glDisable(GL_DEPTH_TEST);
  glDisable(GL_STENCIL_TEST);
  glDisable(GL_SCISSOR_TEST);
  glDisable(GL_DITHER);
  glDisable(GL_FRAMEBUFFER_SRGB);
  glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
}

void fill(const Program& program, const VertexArray& none, Rect<int> target, glm::ivec2 framebuffer) {
  glViewport(target.corner.x, framebuffer.y - target.end().y, target.size.x, target.size.y);
  glUseProgram(program.name());
  glBindVertexArray(none.name());
  glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glBindVertexArray(0);
  glUseProgram(0);
  glViewport(0, 0, framebuffer.x, framebuffer.y);
}

}  // namespace loom::render
