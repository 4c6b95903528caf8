#pragma once

#include <memory>

#include "render/colour_texture.h"
#include "render/extent.h"

namespace loom::render {

/// Draws a picture of colours into a rectangle of the bound framebuffer, texel for pixel. The GL context must
/// be current for every call and for the destructor.
class ColourRenderer {
 public:
  /// Throws std::runtime_error with the shader's name and log.
  ColourRenderer();
  ~ColourRenderer();
  ColourRenderer(const ColourRenderer&) = delete;
  ColourRenderer& operator=(const ColourRenderer&) = delete;

  /// The texture's first texel at the target's top-left pixel; the target is no larger than the texture.
  /// Nothing outside the target changes. Leaves OpenGL's state as FieldRenderer does.
  void draw(const ColourTexture& texture, Extent framebuffer, Rect target);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace loom::render
