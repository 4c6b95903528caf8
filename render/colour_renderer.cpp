#include "render/colour_renderer.h"

#include "render/fill.h"
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
  write_plain_colours();
  glProgramUniform2i(impl_->program.name(), impl_->corner, target.x, framebuffer.height - 1 - target.y);
  glBindTextureUnit(0, texture.gl_name());
  fill(impl_->program, impl_->no_vertices, target, framebuffer);
}

}  // namespace loom::render
