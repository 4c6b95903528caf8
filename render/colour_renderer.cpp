#include "render/colour_renderer.h"

#include "render/gl/object.h"
#include "render/gl/program.h"
#include "shaders.h"

namespace loom::render {

struct ColourRenderer::Impl {
  Program program{{"field.vert", embedded::field_vert}, {"colour.frag", embedded::colour_frag}};
  GLint corner = program.uniform("corner");
  VertexArray no_vertices = VertexArray::make();
};

ColourRenderer::ColourRenderer() : impl_(std::make_unique<Impl>()) {}
ColourRenderer::~ColourRenderer() = default;

void ColourRenderer::draw(const ColourTexture& texture, Extent framebuffer, Rect target) {
  if (target.width < 1 || target.height < 1 || texture.gl_name() == 0) return;
  glDisable(GL_BLEND);
  glDisable(GL_CULL_FACE);
  glDisable(GL_DEPTH_TEST);
  glDisable(GL_STENCIL_TEST);
  glDisable(GL_SCISSOR_TEST);
  glDisable(GL_DITHER);
  glDisable(GL_FRAMEBUFFER_SRGB);
  glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
  glViewport(target.x, framebuffer.height - (target.y + target.height), target.width, target.height);
  const GLuint program = impl_->program.name();
  glUseProgram(program);
  glProgramUniform2i(program, impl_->corner, target.x, framebuffer.height - 1 - target.y);
  glBindTextureUnit(0, texture.gl_name());
  glBindVertexArray(impl_->no_vertices.name());
  glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glBindVertexArray(0);
  glUseProgram(0);
  glViewport(0, 0, framebuffer.width, framebuffer.height);
}

}  // namespace loom::render
