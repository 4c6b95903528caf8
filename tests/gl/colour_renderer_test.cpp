#include <glad/gl.h>

#include <random>
#include <vector>

#include "gl_fixture.h"
#include "render/colour_texture.h"
#include "render/png.h"

namespace loom::render {
namespace {

using ColourRendererTest = GlTest;

TEST_F(ColourRendererTest, EveryPixelIsItsTexel) {
  constexpr glm::ivec2 kPicture{31, 17};
  const Rect<int> target{{20, 9}, kPicture};
  std::mt19937 random(3);
  std::vector<std::uint32_t> colours(static_cast<std::size_t>(kPicture.x) * kPicture.y);
  for (std::uint32_t& colour : colours) colour = static_cast<std::uint32_t>(random()) | 0xff000000u;
  ColourTexture texture;
  texture.upload(kPicture, colours);
  glClearColor(1 / 255.f, 2 / 255.f, 3 / 255.f, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  ColourRenderer renderer;
  renderer.draw(texture, kSize, target);
  const RgbImage drawn = read_framebuffer(context_->framebuffer(), kSize);
  for (int y = 0; y < kSize.y; ++y) {
    for (int x = 0; x < kSize.x; ++x) {
      const glm::ivec2 pixel = glm::ivec2{x, y} - target.corner;
      std::uint32_t wanted = 1 | 2 << 8 | 3 << 16;
      if (target.contains({x, y}))
        wanted = colours[static_cast<std::size_t>(pixel.y) * kPicture.x + static_cast<std::size_t>(pixel.x)];
      const std::size_t at = 3 * (static_cast<std::size_t>(y) * kSize.x + static_cast<std::size_t>(x));
      for (std::size_t part = 0; part < 3; ++part)
        ASSERT_EQ(drawn.rgb[at + part], wanted >> 8 * part & 255u) << x << ", " << y;
    }
  }
}

TEST_F(ColourRendererTest, NothingIsDrawnWithoutAPicture) {
  glClearColor(0, 0, 0, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  ColourRenderer renderer;
  renderer.draw(ColourTexture(), kSize, {{}, kSize});
  for (const std::uint8_t part : read_framebuffer(context_->framebuffer(), kSize).rgb) ASSERT_EQ(part, 0);
}

}  // namespace
}  // namespace loom::render
