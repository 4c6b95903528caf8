#include "render/colour_texture.h"

#include <stdexcept>
#include <string>

#include "render/gl/object.h"

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
    impl_->texture = Texture::make(static_cast<GLenum>(GL_TEXTURE_2D));
    const GLuint name = impl_->texture.name();
    glTextureStorage2D(name, 1, GL_RGBA8, size.x, size.y);
    glTextureParameteri(name, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTextureParameteri(name, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
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

}  // namespace loom::render
