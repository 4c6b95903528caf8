#include "render/dwell_renderer.h"

#include <glm/gtc/type_ptr.hpp>
#include <glm/vec4.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "render/colour_texture.h"
#include "render/gl/object.h"
#include "shaders.h"

namespace loom::render {
namespace {

constexpr int kDwellTableSide = 256;  // 256 x 256 entries

}  // namespace

struct DwellRenderer::Impl {
  Program program{{"field.vert", embedded::field_vert}, {"dwell.frag", embedded::dwell_frag}};
  GLint image = program.uniform("image");
  GLint fraction_bits = program.uniform("fraction_bits");
  GLint limit = program.uniform("limit");
  GLint first = program.uniform("first");
  GLint shift = program.uniform("shift");
  GLint cycle = program.uniform("cycle");
  GLint last_entry = program.uniform("last");
  VertexArray no_vertices = VertexArray::make();
  Texture colours = Texture::make(static_cast<GLenum>(GL_TEXTURE_2D));
  DwellScale scale;
  GLint last = 0;
  GLint bits = 16;
};

DwellRenderer::DwellRenderer() : impl_(std::make_unique<Impl>()) {
  const GLuint colours = impl_->colours.name();
  glTextureStorage2D(colours, 1, GL_RGBA8, kDwellTableSide, kDwellTableSide);
  glTextureParameteri(colours, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTextureParameteri(colours, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  const glm::u8vec3 black{0};
  set_colours(std::span(&black, 1));
}

DwellRenderer::~DwellRenderer() = default;

void DwellRenderer::set_fraction_bits(int bits) {
  impl_->bits = bits;
}

void DwellRenderer::set_colours(const DwellTable& of_table) {
  const std::span<const glm::u8vec3> colours = of_table.colours;
  if (colours.empty() || colours.size() > kDwellTableSide * kDwellTableSide) {
    throw std::invalid_argument("colours for " + std::to_string(colours.size()) +
                                " entries; allowed: 1 to 65536");
  }
  // Whole rows; the rest of the last one is never read.
  const std::size_t rows = (colours.size() + kDwellTableSide - 1) / kDwellTableSide;
  std::vector<glm::u8vec4> table(rows * kDwellTableSide);
  for (std::size_t i = 0; i < colours.size(); ++i) table[i] = {colours[i], 255};
  glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
  glTextureSubImage2D(impl_->colours.name(), 0, 0, 0, kDwellTableSide, static_cast<GLsizei>(rows), GL_RGBA,
                      GL_UNSIGNED_BYTE, table.data());
  impl_->last = static_cast<GLint>(colours.size()) - 1;
  impl_->scale = of_table.scale;
}

void DwellRenderer::draw(const DisplayTexture& texture, glm::ivec2 framebuffer, Rect<int> target,
                         Rect<int> image) {
  const Rect<int> covered = intersect(target, image);
  if (covered.empty()) return;
  write_plain_colours();
  const GLuint program = impl_->program.name();
  const glm::ivec4 shown{image.corner.x, framebuffer.y - 1 - image.corner.y, image.size};
  glProgramUniform4iv(program, impl_->image, 1, glm::value_ptr(shown));
  glProgramUniform1i(program, impl_->fraction_bits,
                     texture.format() == TexelFormat::kUint32 ? impl_->bits : 0);
  glProgramUniform1ui(program, impl_->limit, impl_->scale.limit);
  glProgramUniform1ui(program, impl_->first, impl_->scale.first);
  glProgramUniform1ui(program, impl_->shift, impl_->scale.shift);
  glProgramUniform1ui(program, impl_->cycle, impl_->scale.cycle);
  glProgramUniform1i(program, impl_->last_entry, impl_->last);
  glBindTextureUnit(0, texture.gl_name());
  glBindTextureUnit(1, impl_->colours.name());
  fill(impl_->program, impl_->no_vertices, covered, framebuffer);
}

}  // namespace loom::render
