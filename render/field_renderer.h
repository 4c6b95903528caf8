#pragma once

#include <memory>

#include "render/display_texture.h"
#include "render/extent.h"
#include "render/palette.h"

namespace loom::render {

/// Draws a display texture, pixel for pixel, into a rectangle of the bound framebuffer through a palette.
/// Texture values are those of DisplayTexture (0 hole, else 1 + density). The GL context must be current for
/// every call and for the destructor. Starts with the first palette.
class FieldRenderer {
 public:
  /// Throws std::runtime_error with the shader's name and log.
  FieldRenderer();
  ~FieldRenderer();
  FieldRenderer(const FieldRenderer&) = delete;
  FieldRenderer& operator=(const FieldRenderer&) = delete;

  void set_palette(const Palette& palette);
  /// `target` in a framebuffer of size `framebuffer`; `field` is the rectangle of the square that holds the
  /// fractal, in picture pixels, that is relative to the target's corner (Camera::field_rect; may reach
  /// outside): beyond it, and beyond the texture, the palette's outside colour shows. Texel (0, 0) is drawn
  /// at the target's top-left pixel. Nothing outside the target changes. Leaves the viewport at the
  /// framebuffer's size; blending, depth, culling, scissor test, dithering and sRGB conversion off.
  void draw(const DisplayTexture& texture, Extent framebuffer, Rect target, const Rect& field);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace loom::render
