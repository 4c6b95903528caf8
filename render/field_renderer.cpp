#include "render/field_renderer.h"

#include <glm/gtc/type_ptr.hpp>
#include <glm/vec4.hpp>
#include <vector>

#include "render/colour_texture.h"
#include "render/gl/object.h"
#include "shaders.h"

namespace loom::render {
namespace {

constexpr int kTableSide = 256;  // 256 x 256 entries, one per value of a uint16

/// The shader, by FieldRenderer::Cells.
struct FieldProgram {
  explicit FieldProgram(ShaderSource fragment)
      : program({"field.vert", embedded::field_vert}, fragment),
        first_texel(program.uniform("first_texel")) {}
  Program program;
  GLint first_texel;
};

}  // namespace

struct FieldRenderer::Impl {
  FieldProgram as_resolved{{"field.frag", embedded::field_frag}};
  FieldProgram small{{"small_cells.frag", embedded::small_cells_frag}};
  VertexArray no_vertices = VertexArray::make();
  Texture colours = Texture::make(static_cast<GLenum>(GL_TEXTURE_2D));
  glm::u8vec3 outside{};
};

FieldRenderer::FieldRenderer() : impl_(std::make_unique<Impl>()) {
  const GLuint colours = impl_->colours.name();
  glTextureStorage2D(colours, 1, GL_RGBA8, kTableSide, kTableSide);
  glTextureParameteri(colours, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTextureParameteri(colours, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  set_palette(palettes().front());
}

FieldRenderer::~FieldRenderer() = default;

void FieldRenderer::set_palette(const Palette& palette) {
  std::vector<glm::u8vec4> table(kTableSide * kTableSide);
  for (std::size_t value = 0; value < table.size(); ++value)
    table[value] = {display_colour(palette, static_cast<std::uint16_t>(value)), 255};
  glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
  glTextureSubImage2D(impl_->colours.name(), 0, 0, 0, kTableSide, kTableSide, GL_RGBA, GL_UNSIGNED_BYTE,
                      table.data());
  impl_->outside = palette.outside;
}

void FieldRenderer::draw(const DisplayTexture& texture, glm::ivec2 framebuffer, Rect<int> target,
                         const Rect<int>& field, std::optional<glm::u8vec3> outside_colour, Cells cells) {
  const Rect<int> visible = intersect(target, {{}, framebuffer});
  if (visible.empty()) return;

  write_plain_colours();
  glEnable(GL_SCISSOR_TEST);
  glScissor(visible.corner.x, framebuffer.y - visible.end().y, visible.size.x, visible.size.y);
  const glm::vec3 outside = glm::vec3(outside_colour.value_or(impl_->outside)) / 255.0f;
  glClearColor(outside.r, outside.g, outside.b, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  glDisable(GL_SCISSOR_TEST);

  Rect<int> covered = intersect(field, {{}, texture.size()});
  covered.corner += target.corner;
  covered = intersect(covered, visible);
  if (covered.empty()) return;
  const glm::ivec2 first_texel{-target.corner.x, framebuffer.y - 1 - target.corner.y};
  const FieldProgram& used = cells == Cells::kSmall ? impl_->small : impl_->as_resolved;
  glProgramUniform2iv(used.program.name(), used.first_texel, 1, glm::value_ptr(first_texel));
  glBindTextureUnit(0, texture.gl_name());
  glBindTextureUnit(1, impl_->colours.name());
  fill(used.program, impl_->no_vertices, covered, framebuffer);
}

}  // namespace loom::render
