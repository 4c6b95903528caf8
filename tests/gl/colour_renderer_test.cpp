#include "render/colour_renderer.h"

#include <glad/gl.h>

#include <random>
#include <vector>

#include "gl_fixture.h"
#include "render/png.h"

namespace loom::render {
namespace {

using ColourRendererTest = GlTest;

TEST_F(ColourRendererTest, EveryPixelIsItsTexel) {
  constexpr Extent kPicture{31, 17};
  const Rect target{20, 9, kPicture.width, kPicture.height};
  std::mt19937 random(3);
  std::vector<std::uint32_t> colours(static_cast<std::size_t>(kPicture.width) * kPicture.height);
  for (std::uint32_t& colour : colours) colour = static_cast<std::uint32_t>(random()) | 0xff000000u;
  ColourTexture texture;
  texture.upload(kPicture, colours);
  glClearColor(1 / 255.f, 2 / 255.f, 3 / 255.f, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  ColourRenderer renderer;
  renderer.draw(texture, kSize, target);
  const RgbImage drawn = read_framebuffer(context_->framebuffer(), kSize);
  for (int y = 0; y < kSize.height; ++y) {
    for (int x = 0; x < kSize.width; ++x) {
      const int px = x - target.x;
      const int py = y - target.y;
      std::uint32_t wanted = 1 | 2 << 8 | 3 << 16;
      if (px >= 0 && py >= 0 && px < target.width && py < target.height)
        wanted = colours[static_cast<std::size_t>(py) * kPicture.width + static_cast<std::size_t>(px)];
      const std::size_t at = 3 * (static_cast<std::size_t>(y) * kSize.width + static_cast<std::size_t>(x));
      for (std::size_t part = 0; part < 3; ++part)
        ASSERT_EQ(drawn.rgb[at + part], wanted >> 8 * part & 255u) << x << ", " << y;
    }
  }
}

TEST_F(ColourRendererTest, NothingIsDrawnWithoutAPicture) {
  glClearColor(0, 0, 0, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  ColourRenderer renderer;
  renderer.draw(ColourTexture(), kSize, {0, 0, kSize.width, kSize.height});
  for (const std::uint8_t part : read_framebuffer(context_->framebuffer(), kSize).rgb) ASSERT_EQ(part, 0);
}

}  // namespace
}  // namespace loom::render
