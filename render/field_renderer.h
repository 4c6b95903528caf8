#pragma once

#include <memory>

#include "render/display_texture.h"
#include "render/extent.h"
#include "render/palette.h"

namespace loom::render {

/// Draws a display texture, pixel for pixel, into a rectangle of the bound framebuffer through a palette.
/// Texture values are those of DisplayTexture (0 hole, else 1 + density).
class FieldRenderer {
 public:
  FieldRenderer();
  ~FieldRenderer();
  FieldRenderer(const FieldRenderer&) = delete;
  FieldRenderer& operator=(const FieldRenderer&) = delete;

  void set_palette(const Palette& palette);
  /// `target` in a framebuffer of size `framebuffer`; `field` is the rectangle of the square that holds the
  /// fractal, in picture pixels (may reach far outside): beyond it the palette's outside colour shows.
  void draw(const DisplayTexture& texture, Extent framebuffer, Rect target, const Rect& field);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace loom::render
