#include "render/solid_renderer.h"

#include <glm/gtc/type_ptr.hpp>
#include <glm/vec4.hpp>

#include "render/fill.h"
#include "render/gl/object.h"
#include "render/gl/program.h"
#include "shaders.h"

namespace loom::render {

struct SolidRenderer::Impl {
  Program program{{"field.vert", embedded::field_vert}, {"solid.frag", embedded::solid_frag}};
  GLint image = program.uniform("image");
  GLint haze = program.uniform("haze");
  VertexArray no_vertices = VertexArray::make();
  Texture colours = Texture::make(static_cast<GLenum>(GL_TEXTURE_2D));
};

SolidRenderer::SolidRenderer() : impl_(std::make_unique<Impl>()) {
  const GLuint colours = impl_->colours.name();
  glTextureStorage2D(colours, 1, GL_RGBA8, static_cast<GLsizei>(SolidColours{}.size()), 1);
  glTextureParameteri(colours, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTextureParameteri(colours, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  set_colours({});
}

SolidRenderer::~SolidRenderer() = default;

void SolidRenderer::set_colours(const SolidColours& colours) {
  std::array<glm::u8vec4, SolidColours{}.size()> table{};
  for (std::size_t i = 0; i < colours.size(); ++i) table[i] = {colours[i], 255};
  glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
  glTextureSubImage2D(impl_->colours.name(), 0, 0, 0, static_cast<GLsizei>(table.size()), 1, GL_RGBA,
                      GL_UNSIGNED_BYTE, table.data());
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
  fill(impl_->program, impl_->no_vertices, target, framebuffer);
}

}  // namespace loom::render
