#pragma once

#include <glm/fwd.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <memory>

#include "render/camera.h"
#include "render/display_texture.h"
#include "render/palette.h"

namespace loom::render {

/// Draws a display texture of dwells into a rectangle of the bound framebuffer. A uint16 texture holds
/// dwells, a uint32 texture holds smooth dwells: the dwell times a power of two, 65536 at first, whose colour
/// is interpolated between those of the entries below and above. The GL context must be current for every
/// call and for the destructor.
class DwellRenderer {
 public:
  /// Throws std::runtime_error with the shader's name and log. Initially all colours are black.
  DwellRenderer();
  ~DwellRenderer();
  DwellRenderer(const DwellRenderer&) = delete;
  DwellRenderer& operator=(const DwellRenderer&) = delete;

  /// Sets the colours of the dwells. Throws std::invalid_argument for none, or more than 65536.
  void set_colours(const DwellTable& table);
  /// The binary digits behind the point of a uint32 texture, 0 to 16; 16 at first.
  void set_fraction_bits(int bits);
  /// Draws the whole texture over the whole target; each pixel takes the nearest texel. Nothing outside of
  /// the target changes. Leaves the OpenGL state as FieldRenderer does.
  void draw(const DisplayTexture& texture, glm::ivec2 framebuffer, Rect<int> target) {
    draw(texture, framebuffer, target, target);
  }
  /// Draws the part of the whole texture, scaled to `image`, that is in the target. A side of `image` times
  /// that of the texture must be below 2^31.
  void draw(const DisplayTexture& texture, glm::ivec2 framebuffer, Rect<int> target, Rect<int> image);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace loom::render
