#pragma once

#include <cstdint>
#include <glm/vec2.hpp>
#include <memory>
#include <vector>

#include "render/camera.h"
#include "render/gl/object.h"

namespace loom::render {

/// An image of colours for the panels to draw: 8 bits each of red, green, blue and alpha, red in the lowest
/// byte, rows from the top. Neither filtered nor repeated. The GL context must be current for every call and
/// for the destructor.
class ColourTexture {
 public:
  ColourTexture();
  ~ColourTexture();
  ColourTexture(ColourTexture&&) noexcept;
  ColourTexture& operator=(ColourTexture&&) noexcept;

  /// Uploads size.x * size.y colours. Throws std::invalid_argument for another number of colours,
  /// and for sides outside 1 .. the driver's limit.
  void upload(glm::ivec2 size, const std::vector<std::uint32_t>& colours);
  /// 0 before the first upload.
  unsigned gl_name() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Draws an image of colours into a rectangle of the bound framebuffer, one texel per pixel. The GL context
/// must be current for every call and for the destructor.
class ColourRenderer {
 public:
  /// Throws std::runtime_error with the shader's name and log.
  ColourRenderer();
  ~ColourRenderer();
  ColourRenderer(const ColourRenderer&) = delete;
  ColourRenderer& operator=(const ColourRenderer&) = delete;

  /// Draws the texture's first texel at the target's top-left pixel; the target must not be larger than the
  /// texture. Nothing outside of the target changes. Leaves the OpenGL state as FieldRenderer does.
  void draw(const ColourTexture& texture, glm::ivec2 framebuffer, Rect<int> target);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Sets the state in which fragments' colours are written to the framebuffer unchanged, whatever was drawn
/// before.
void write_plain_colours();
/// Runs the program for every pixel of `target` (y downwards), by one triangle without attributes; `none` is
/// a vertex array without vertices. OpenGL clips to the framebuffer, and fragments keep their window
/// coordinates. Leaves no program or array bound, and the whole framebuffer as the viewport.
void fill(const Program& program, const VertexArray& none, Rect<int> target, glm::ivec2 framebuffer);

}  // namespace loom::render
