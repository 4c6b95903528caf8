#include "render/renderers.h"

#include <cmath>
#include <glm/gtc/type_ptr.hpp>
#include <glm/vec4.hpp>
#include <numbers>
#include <stdexcept>
#include <string>
#include <vector>

#include "render/colour_texture.h"
#include "render/gl/object.h"
#include "shaders.h"

namespace loom::render {
namespace {

constexpr int kTableSide = 256;  // 256 x 256 entries, one per value of a uint16 and at most one per dwell

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
  Texture colours = make_texture(GL_RGBA8, kTableSide, kTableSide);
  glm::u8vec3 outside{};
};

FieldRenderer::FieldRenderer() : impl_(std::make_unique<Impl>()) {
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

namespace {

constexpr GLint kNowhere = -1;  ///< OpenGL ignores values for it

/// Its definitions follow the first line of the shader, the version.
std::string with_definitions(std::string_view shader, std::string_view definitions) {
  return std::string(shader).insert(shader.find('\n') + 1, definitions);
}

/// The shader and its uniforms.
struct DwellProgram {
  DwellProgram(std::string_view definitions, bool is_turned)
      : program({"field.vert", embedded::field_vert},
                {"dwell.frag", with_definitions(embedded::dwell_frag, definitions)}),
        turn(is_turned ? program.uniform("turn") : kNowhere) {}
  Program program;
  GLint turn;
  GLint image = program.uniform("image");
  GLint fraction_bits = program.uniform("fraction_bits");
  GLint limit = program.uniform("limit");
  GLint first = program.uniform("first");
  GLint shift = program.uniform("shift");
  GLint cycle = program.uniform("cycle");
  GLint last_entry = program.uniform("last");
};

}  // namespace

struct DwellRenderer::Impl {
  DwellProgram plain{"", false};
  DwellProgram scaled{"#define SCALED\n", false};
  DwellProgram turned{"#define SCALED\n#define TURNED\n", true};
  VertexArray no_vertices = VertexArray::make();
  Texture colours = make_texture(GL_RGBA8, kTableSide, kTableSide);
  DwellScale scale;
  GLint last = 0;
  GLint bits = 16;
};

DwellRenderer::DwellRenderer() : impl_(std::make_unique<Impl>()) {
  const glm::u8vec3 black{0};
  set_colours(std::span(&black, 1));
}

DwellRenderer::~DwellRenderer() = default;

void DwellRenderer::set_fraction_bits(int bits) {
  impl_->bits = bits;
}

void DwellRenderer::set_colours(const DwellTable& of_table) {
  const std::span<const glm::u8vec3> colours = of_table.colours;
  if (colours.empty() || colours.size() > kTableSide * kTableSide) {
    throw std::invalid_argument("colours for " + std::to_string(colours.size()) +
                                " entries; allowed: 1 to 65536");
  }
  // Whole rows; the rest of the last one is never read.
  const std::size_t rows = (colours.size() + kTableSide - 1) / kTableSide;
  std::vector<glm::u8vec4> table(rows * kTableSide);
  for (std::size_t i = 0; i < colours.size(); ++i) table[i] = {colours[i], 255};
  glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
  glTextureSubImage2D(impl_->colours.name(), 0, 0, 0, kTableSide, static_cast<GLsizei>(rows), GL_RGBA,
                      GL_UNSIGNED_BYTE, table.data());
  impl_->last = static_cast<GLint>(colours.size()) - 1;
  impl_->scale = of_table.scale;
}

void DwellRenderer::draw(const DisplayTexture& texture, glm::ivec2 framebuffer, Rect<int> target,
                         Rect<int> image, double degrees) {
  const Rect<int> covered = degrees == 0 ? intersect(target, image) : target;
  if (covered.empty()) return;
  write_plain_colours();
  const DwellProgram& used = degrees != 0                   ? impl_->turned
                             : texture.size() != image.size ? impl_->scaled
                                                            : impl_->plain;
  const GLuint program = used.program.name();
  const glm::ivec4 shown{image.corner.x, framebuffer.y - 1 - image.corner.y, image.size};
  glProgramUniform4iv(program, used.image, 1, glm::value_ptr(shown));
  const double radians = degrees * std::numbers::pi / 180;
  glProgramUniform2f(program, used.turn, static_cast<float>(std::cos(radians)),
                     static_cast<float>(std::sin(radians)));
  glProgramUniform1i(program, used.fraction_bits, texture.format() == TexelFormat::kUint32 ? impl_->bits : 0);
  glProgramUniform1ui(program, used.limit, impl_->scale.limit);
  glProgramUniform1ui(program, used.first, impl_->scale.first);
  glProgramUniform1ui(program, used.shift, impl_->scale.shift);
  glProgramUniform1ui(program, used.cycle, impl_->scale.cycle);
  glProgramUniform1i(program, used.last_entry, impl_->last);
  glBindTextureUnit(0, texture.gl_name());
  glBindTextureUnit(1, impl_->colours.name());
  fill(used.program, impl_->no_vertices, covered, framebuffer);
}

struct SolidRenderer::Impl {
  explicit Impl(bool of_volume)
      : program({"field.vert", embedded::field_vert}, of_volume
                                                          ? ShaderSource{"volume.frag", embedded::volume_frag}
                                                          : ShaderSource{"solid.frag", embedded::solid_frag}),
        empty(of_volume ? kNowhere : program.uniform("empty")) {}
  Program program;
  GLint empty;
  GLint image = program.uniform("image");
  GLint haze = program.uniform("haze");
  GLint top = program.uniform("top");
  GLint bottom = program.uniform("bottom");
  VertexArray no_vertices = VertexArray::make();
  Texture colours = make_texture(GL_RGBA8, SolidColours{}.states.size(), 1);
  Texture values = make_texture(GL_RGBA8, SolidColours{}.values.size(), 1);
};

namespace {

template <std::size_t kCount>
void fill_row(GLuint texture, const std::array<glm::u8vec4, kCount>& row) {
  glTextureSubImage2D(texture, 0, 0, 0, static_cast<GLsizei>(kCount), 1, GL_RGBA, GL_UNSIGNED_BYTE,
                      row.data());
}

}  // namespace

SolidRenderer::SolidRenderer(bool of_volume) : impl_(std::make_unique<Impl>(of_volume)) {
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
  const glm::vec3 top = glm::vec3(colours.top) / 255.0f;
  const glm::vec3 bottom = glm::vec3(colours.states[0]) / 255.0f;
  glProgramUniform3fv(impl_->program.name(), impl_->empty, 1, glm::value_ptr(empty));
  glProgramUniform3fv(impl_->program.name(), impl_->top, 1, glm::value_ptr(top));
  glProgramUniform3fv(impl_->program.name(), impl_->bottom, 1, glm::value_ptr(bottom));
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
