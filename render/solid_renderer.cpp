#include "render/solid_renderer.h"

#include <glm/gtc/type_ptr.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

#include "render/colour_texture.h"
#include "render/gl/object.h"
#include "shaders.h"

namespace loom::render {

struct SolidRenderer::Impl {
  Program program{{"field.vert", embedded::field_vert}, {"solid.frag", embedded::solid_frag}};
  GLint image = program.uniform("image");
  GLint haze = program.uniform("haze");
  GLint empty = program.uniform("empty");
  VertexArray no_vertices = VertexArray::make();
  Texture colours = Texture::make(static_cast<GLenum>(GL_TEXTURE_2D));
  Texture values = Texture::make(static_cast<GLenum>(GL_TEXTURE_2D));
};

namespace {

void make_row(GLuint texture, std::size_t length) {
  glTextureStorage2D(texture, 1, GL_RGBA8, static_cast<GLsizei>(length), 1);
  glTextureParameteri(texture, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTextureParameteri(texture, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
}

template <std::size_t kCount>
void fill_row(GLuint texture, const std::array<glm::u8vec4, kCount>& row) {
  glTextureSubImage2D(texture, 0, 0, 0, static_cast<GLsizei>(kCount), 1, GL_RGBA, GL_UNSIGNED_BYTE,
                      row.data());
}

}  // namespace

SolidRenderer::SolidRenderer() : impl_(std::make_unique<Impl>()) {
  make_row(impl_->colours.name(), SolidColours{}.states.size());
  make_row(impl_->values.name(), SolidColours{}.values.size());
  set_colours({});
}

SolidRenderer::~SolidRenderer() = default;

void SolidRenderer::set_colours(const SolidColours& colours) {
  std::array<glm::u8vec4, SolidColours{}.states.size()> states{};
  for (std::size_t i = 0; i < states.size(); ++i) states[i] = {colours.states[i], colours.light[i]};
  std::array<glm::u8vec4, SolidColours{}.values.size()> values{};
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = {colours.values[i], 255};
  glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
  fill_row(impl_->colours.name(), states);
  fill_row(impl_->values.name(), values);
  const glm::vec3 empty = glm::vec3(colours.empty) / 255.0f;
  glProgramUniform3fv(impl_->program.name(), impl_->empty, 1, glm::value_ptr(empty));
}

void SolidRenderer::draw(const DisplayTexture& texture, glm::ivec2 framebuffer, Rect<int> target) {
  if (target.empty()) return;
  write_plain_colours();
  const GLuint program = impl_->program.name();
  const glm::ivec4 shown{target.corner.x, framebuffer.y - 1 - target.corner.y, target.size};
  glProgramUniform4iv(program, impl_->image, 1, glm::value_ptr(shown));
  glProgramUniform1f(program, impl_->haze, kSolidHaze);
  glBindTextureUnit(0, texture.gl_name());
  glBindTextureUnit(1, impl_->colours.name());
  glBindTextureUnit(2, impl_->values.name());
  fill(impl_->program, impl_->no_vertices, target, framebuffer);
}

}  // namespace loom::render
