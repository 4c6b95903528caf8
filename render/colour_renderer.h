#pragma once

#include <glm/vec2.hpp>
#include <memory>

#include "render/colour_texture.h"
#include "render/rect.h"

namespace loom::render {

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

}  // namespace loom::render
