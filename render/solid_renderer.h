#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <glm/fwd.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <memory>

#include "render/camera.h"
#include "render/display_texture.h"

namespace loom::render {

/// The colours of pixels.
struct SolidColours {
  /// By the lowest nine bits of a pixel; the first one is the background.
  std::array<glm::u8vec3, 512> states{};
  /// By the same bits: the light on the colour of a cell with a colour value, 0 to 255.
  std::array<std::uint8_t, 512> light{};
  std::array<glm::u8vec3, 256> values{};  ///< by colour value
  glm::u8vec3 empty{};                    ///< of empty tiles
};
/// How far the farthest point fades into the background.
inline constexpr float kSolidHaze = 0.3f;

/// Draws a uint32 texture of a three-dimensional fractal into a rectangle of the bound framebuffer. The GL
/// context must be current for every call and for the destructor.
class SolidRenderer {
 public:
  /// Throws std::runtime_error with the shader's name and log. Initially all colours are black.
  SolidRenderer();
  ~SolidRenderer();
  SolidRenderer(const SolidRenderer&) = delete;
  SolidRenderer& operator=(const SolidRenderer&) = delete;

  void set_colours(const SolidColours& colours);
  /// Draws the whole texture over the target; each pixel takes the nearest texel. Nothing outside of the
  /// target changes. Leaves the OpenGL state as FieldRenderer does.
  void draw(const DisplayTexture& texture, glm::ivec2 framebuffer, Rect<int> target);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace loom::render
