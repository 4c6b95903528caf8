#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <glm/fwd.hpp>
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
  /// Draws the part of the whole texture, scaled to `image` and turned about its middle by `degrees`
  /// clockwise, that is in the target. A side of `image` times that of the texture must be below 2^31.
  void draw(const DisplayTexture& texture, glm::ivec2 framebuffer, Rect<int> target, Rect<int> image,
            double degrees = 0);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// The colours of pixels. Those of a volume use `values`, `top` and the first of `states`.
struct SolidColours {
  /// By the lowest nine bits of a pixel; the first one is the background, at the bottom of the picture.
  std::array<glm::u8vec3, 512> states{};
  glm::u8vec3 top{};  ///< the background at the top
  /// By the same bits: the light on the colour of a cell with a colour value, 0 to 255.
  std::array<std::uint8_t, 512> light{};
  std::array<glm::u8vec3, 256> values{};  ///< by colour value
  glm::u8vec3 empty{};                    ///< of empty tiles
};
/// How far the farthest point fades into the background.
inline constexpr float kSolidHaze = 0.3f;

/// Draws a uint32 texture of a three-dimensional fractal, or of a set in space, into a rectangle of the bound
/// framebuffer. The GL context must be current for every call and for the destructor.
class SolidRenderer {
 public:
  /// Throws std::runtime_error with the shader's name and log. Initially all colours are black.
  explicit SolidRenderer(bool of_volume = false);
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
