#include "render/colour_texture.h"

#include <glm/gtc/type_ptr.hpp>
#include <stdexcept>
#include <string>

#include "shaders.h"

namespace loom::render {

struct ColourTexture::Impl {
  Texture texture;
  glm::ivec2 size{0};
};

ColourTexture::ColourTexture() : impl_(std::make_unique<Impl>()) {}
ColourTexture::~ColourTexture() = default;
ColourTexture::ColourTexture(ColourTexture&&) noexcept = default;
ColourTexture& ColourTexture::operator=(ColourTexture&&) noexcept = default;

void ColourTexture::upload(glm::ivec2 size, const std::vector<std::uint32_t>& colours) {
  GLint largest = 0;
  glGetIntegerv(GL_MAX_TEXTURE_SIZE, &largest);
  const bool allowed = size.x >= 1 && size.y >= 1 && size.x <= largest && size.y <= largest;
  if (!allowed || colours.size() != static_cast<std::size_t>(size.x) * static_cast<std::size_t>(size.y)) {
    throw std::invalid_argument(std::to_string(colours.size()) + " colours for a texture of " +
                                std::to_string(size.x) + " x " + std::to_string(size.y) +
                                "; each side is 1 to " + std::to_string(largest));
  }
  if (impl_->texture.name() == 0 || size != impl_->size) {
    impl_->texture = make_texture(GL_RGBA8, size.x, size.y);
    const GLuint name = impl_->texture.name();
    glTextureParameteri(name, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTextureParameteri(name, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    impl_->size = size;
  }
  glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
  glTextureSubImage2D(impl_->texture.name(), 0, 0, 0, size.x, size.y, GL_RGBA, GL_UNSIGNED_BYTE,
                      colours.data());
}

unsigned ColourTexture::gl_name() const {
  return impl_->texture.name();
}

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
