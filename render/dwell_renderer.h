#pragma once

#include <memory>
#include <span>

#include "render/display_texture.h"
#include "render/extent.h"
#include "render/palette.h"

namespace loom::render {

/// Draws a display texture of dwells into a rectangle of the bound framebuffer. A uint16 texture holds
/// dwells, a uint32 texture smooth dwells: 65536 times the dwell, whose colour lies between those of the
/// whole dwells below and above. The GL context must be current for every call and for the destructor.
class DwellRenderer {
 public:
  /// Throws std::runtime_error with the shader's name and log. Everything is black at first.
  DwellRenderer();
  ~DwellRenderer();
  DwellRenderer(const DwellRenderer&) = delete;
  DwellRenderer& operator=(const DwellRenderer&) = delete;

  /// The colour of every dwell from 0; the last is the dwell limit's, that of the interior, and stands for
  /// higher dwells too. Throws std::invalid_argument for none, or more than 65536.
  void set_colours(std::span<const Rgb> colours);
  /// The whole texture over the whole target; pixels take the texel that their own place falls on. Nothing
  /// outside the target changes. Leaves OpenGL's state as FieldRenderer does.
  void draw(const DisplayTexture& texture, Extent framebuffer, Rect target) {
    draw(texture, framebuffer, target, target);
  }
  /// The whole texture over `image`, and of that what lies in the target. A side of `image` times that of the
  /// texture is below 2^31.
  void draw(const DisplayTexture& texture, Extent framebuffer, Rect target, Rect image);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace loom::render
