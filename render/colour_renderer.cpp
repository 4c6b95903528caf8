#include "render/colour_renderer.h"

#include <glm/gtc/type_ptr.hpp>

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

void ColourRenderer::draw(const ColourTexture& texture, glm::ivec2 framebuffer, Rect<int> target) {
  if (target.empty() || texture.gl_name() == 0) return;
  write_plain_colours();
  const glm::ivec2 corner{target.corner.x, framebuffer.y - 1 - target.corner.y};
  glProgramUniform2iv(impl_->program.name(), impl_->corner, 1, glm::value_ptr(corner));
  glBindTextureUnit(0, texture.gl_name());
  fill(impl_->program, impl_->no_vertices, target, framebuffer);
}

}  // namespace loom::render
