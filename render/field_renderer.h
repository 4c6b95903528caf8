#pragma once

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <memory>
#include <optional>

#include "render/camera.h"
#include "render/display_texture.h"
#include "render/palette.h"

namespace loom::render {

/// Draws a display texture, one texel per pixel, into a rectangle of the bound framebuffer through a palette.
/// Texture values are those of DisplayTexture (0 hole, otherwise 1 + density). The GL context must be current
/// for every call and for the destructor. The initial palette is the first one.
class FieldRenderer {
 public:
  enum class Cells {
    kAsResolved,
    kSmall,  ///< smaller than kLeastCellSide: isolated living cells are enlarged, see IsolatedCells
  };
  /// Throws std::runtime_error with the shader's name and log.
  FieldRenderer();
  ~FieldRenderer();
  FieldRenderer(const FieldRenderer&) = delete;
  FieldRenderer& operator=(const FieldRenderer&) = delete;

  void set_palette(const Palette& palette);
  /// `target` is in a framebuffer of size `framebuffer`. `field` is the rectangle of the square that contains
  /// the fractal, in image pixels relative to the target's corner (Camera::field_rect; it may extend
  /// outside); outside of it and of the texture, `outside` is drawn, by default the palette's. Texel (0, 0)
  /// is drawn at the target's top-left pixel. Nothing outside of the target changes. Leaves the viewport at
  /// the framebuffer's size, and blending, depth, culling, scissor test, dithering and sRGB conversion off.
  void draw(const DisplayTexture& texture, glm::ivec2 framebuffer, Rect<int> target, const Rect<int>& field,
            std::optional<glm::u8vec3> outside = {}, Cells cells = Cells::kAsResolved);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace loom::render
