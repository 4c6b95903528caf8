#include <glad/gl.h>

#include <cmath>
#include <numeric>
#include <random>
#include <stdexcept>
#include <vector>

#include "gl_fixture.h"
#include "render/png.h"
#include "render/renderers.h"

namespace loom::render {
namespace {

class DwellRendererTest : public GlTest {
 protected:
  static constexpr glm::u8vec3 kUntouched{1, 2, 3};

  void SetUp() override {
    GlTest::SetUp();
    glClearColor(1 / 255.f, 2 / 255.f, 3 / 255.f, 1);
    glClear(GL_COLOR_BUFFER_BIT);
  }

  static std::vector<glm::u8vec3> random_colours(std::size_t count) {
    std::mt19937 random(11);
    std::vector<glm::u8vec3> colours(count);
    for (glm::u8vec3& colour : colours) {
      colour = {static_cast<std::uint8_t>(random()), static_cast<std::uint8_t>(random()),
                static_cast<std::uint8_t>(random())};
    }
    return colours;
  }

  /// Fills 4 x 3 texels with their indices.
  static void twelve_dwells(DisplayTexture& texture) {
    texture.resize({4, 3});
    std::vector<std::uint16_t> dwells(12);
    std::iota(dwells.begin(), dwells.end(), std::uint16_t{0});
    texture.upload(dwells.data(), 8);
  }

  RgbImage picture() { return read_framebuffer(context_->framebuffer(), kSize); }
  static glm::u8vec3 pixel(const RgbImage& image, int x, int y) {
    const std::size_t at = 3 * (static_cast<std::size_t>(y) * kSize.x + x);
    return {image.rgb[at], image.rgb[at + 1], image.rgb[at + 2]};
  }
};

TEST_F(DwellRendererTest, EveryDwellHasItsColour) {
  const auto colours = random_colours(700);
  DisplayTexture texture;
  const Rect<int> target{{5, 7}, {60, 40}};
  texture.resize(target.size);
  std::vector<std::uint16_t> dwells(2400);
  for (std::size_t i = 0; i < dwells.size(); ++i) dwells[i] = static_cast<std::uint16_t>(i % 700);
  texture.upload(dwells.data(), 2 * 60);
  DwellRenderer renderer;
  renderer.set_colours(colours);
  renderer.draw(texture, kSize, target);
  const RgbImage image = picture();
  for (int y = 0; y < kSize.y; ++y) {
    for (int x = 0; x < kSize.x; ++x) {
      const glm::ivec2 at = glm::ivec2{x, y} - target.corner;
      const glm::u8vec3 wanted = target.contains({x, y})
                                     ? colours[dwells[static_cast<std::size_t>(at.y * target.size.x + at.x)]]
                                     : kUntouched;
      ASSERT_EQ(pixel(image, x, y), wanted) << x << ", " << y;
    }
  }
}

TEST_F(DwellRendererTest, DwellsPastTheLimitAreInterior) {
  const auto colours = random_colours(9);
  DisplayTexture texture;
  texture.resize({2, 1});
  const std::uint16_t dwells[] = {8, 65535};
  texture.upload(dwells, 4);
  DwellRenderer renderer;
  renderer.set_colours(colours);
  renderer.draw(texture, kSize, {{0, 0}, {2, 1}});
  EXPECT_EQ(pixel(picture(), 0, 0), colours[8]);
  EXPECT_EQ(pixel(picture(), 1, 0), colours[8]);
}

TEST_F(DwellRendererTest, SmoothDwellsLieBetweenTwoColours) {
  const auto colours = random_colours(300);
  DisplayTexture texture;
  texture.resize({50, 2}, TexelFormat::kUint32);
  std::vector<std::uint32_t> values(100);
  std::mt19937 random(3);
  for (std::uint32_t& value : values) value = static_cast<std::uint32_t>(random() % (299u << 16));
  values[0] =
      298u << 16 | 65535u;  // the largest smooth dwell below the limit must not get the interior colour
  values[1] = 299u << 16;
  values[2] = 17u << 16;
  texture.upload(values.data(), 200);
  DwellRenderer renderer;
  renderer.set_colours(colours);
  renderer.draw(texture, kSize, {{0, 0}, {50, 2}});
  const RgbImage image = picture();
  EXPECT_EQ(pixel(image, 0, 0), colours[298]);
  EXPECT_EQ(pixel(image, 1, 0), colours[299]);
  EXPECT_EQ(pixel(image, 2, 0), colours[17]);
  for (std::size_t i = 3; i < values.size(); ++i) {
    const glm::u8vec3 low = colours[values[i] >> 16];
    const glm::u8vec3 high = (values[i] >> 16) == 298 ? low : colours[(values[i] >> 16) + 1];
    const double part = (values[i] & 65535u) / 65536.0;
    const glm::u8vec3 shown = pixel(image, static_cast<int>(i % 50), static_cast<int>(i / 50));
    EXPECT_NEAR(shown.r, low.r + part * (high.r - low.r), 1);
    EXPECT_NEAR(shown.g, low.g + part * (high.g - low.g), 1);
    EXPECT_NEAR(shown.b, low.b + part * (high.b - low.b), 1);
  }
}

TEST_F(DwellRendererTest, HighDwellsHaveTheEntriesOfTheirScale) {
  const auto colours = random_colours(50);
  DisplayTexture texture;
  texture.resize({8, 1}, TexelFormat::kUint32);
  const std::uint32_t values[] = {3, 1000000, 1000007, 1000008, 1000396, 1999999, 2000000, 4000000000u};
  texture.upload(values, sizeof(values));
  DwellRenderer renderer;
  renderer.set_fraction_bits(0);
  for (const DwellScale scale : {DwellScale{.limit = 2000000, .first = 1000000, .shift = 3},
                                 DwellScale{.limit = 2000000, .cycle = 49}}) {
    renderer.set_colours(DwellTable(colours, scale));
    renderer.draw(texture, kSize, {{0, 0}, {8, 1}});
    const RgbImage image = picture();
    for (int i = 0; i < 8; ++i)
      EXPECT_EQ(pixel(image, i, 0), colours[scale.entry(values[i], colours.size())]) << values[i];
  }
  EXPECT_EQ((DwellScale{.limit = 2000000, .first = 1000000, .shift = 3}.entry(1999999, 50)), 48u);
  EXPECT_EQ((DwellScale{.limit = 2000000, .first = 1000000, .shift = 3}.entry(2000000, 50)), 49u);
  // A smooth dwell between two entries of 8 dwells.
  renderer.set_fraction_bits(4);
  const std::uint32_t smooth[] = {(1000000u + 4) << 4};
  texture.resize({1, 1}, TexelFormat::kUint32);
  texture.upload(smooth, sizeof(smooth));
  renderer.set_colours(DwellTable(colours, {.limit = 2000000, .first = 1000000, .shift = 3}));
  renderer.draw(texture, kSize, {{0, 0}, {1, 1}});
  EXPECT_NEAR(pixel(picture(), 0, 0).r, (colours[0].r + colours[1].r) / 2.0, 1);
}

TEST_F(DwellRendererTest, ACoarseImageFillsTheTarget) {
  const auto colours = random_colours(12);
  DisplayTexture texture;
  twelve_dwells(texture);
  DwellRenderer renderer;
  renderer.set_colours(colours);
  const Rect<int> target{{1, 2}, {41, 30}};
  renderer.draw(texture, kSize, target);
  const RgbImage image = picture();
  for (int y = 0; y < target.size.y; ++y) {
    for (int x = 0; x < target.size.x; ++x) {
      const int texel = (y * 3 / 30) * 4 + x * 4 / 41;
      ASSERT_EQ(pixel(image, x + 1, y + 2), colours[static_cast<std::size_t>(texel)]) << x << ", " << y;
    }
  }
}

// Clockwise by 90 degrees: what was to the right of the middle is below it.
TEST_F(DwellRendererTest, AnImageIsTurnedAboutItsMiddle) {
  const auto colours = random_colours(12);
  DisplayTexture texture;
  twelve_dwells(texture);
  DwellRenderer renderer;
  renderer.set_colours(colours);
  const Rect<int> target{{3, 2}, {24, 20}};
  const Rect<int> image{{8, 6}, {16, 12}};  // 4 x 4 pixels for each texel
  for (const int quarters : {1, 2, 3, 4}) {
    glClear(GL_COLOR_BUFFER_BIT);
    renderer.draw(texture, kSize, target, image, 90.0 * quarters);
    const RgbImage drawn = picture();
    for (int y = 0; y < kSize.y; ++y) {
      for (int x = 0; x < kSize.x; ++x) {
        glm::ivec2 twice = 2 * glm::ivec2(x, y) + 1 - (2 * image.corner + image.size);  // from the middle
        for (int i = 0; i < quarters; ++i) twice = {twice.y, -twice.x};
        const glm::ivec2 from = twice + image.size;  // in half pixels
        const bool seen = target.contains({x, y}) && from.x > 0 && from.y > 0 && from.x < 2 * image.size.x &&
                          from.y < 2 * image.size.y;
        const auto texel = static_cast<std::size_t>(from.y / 8 * 4 + from.x / 8);
        ASSERT_EQ(pixel(drawn, x, y), seen ? colours[texel] : kUntouched)
            << quarters << ": " << x << ", " << y;
      }
    }
  }
}

TEST_F(DwellRendererTest, AnImageReachesPastItsTargetOrLeavesSomeOfItAlone) {
  const auto colours = random_colours(12);
  DisplayTexture texture;
  twelve_dwells(texture);
  DwellRenderer renderer;
  renderer.set_colours(colours);
  const Rect<int> target{{3, 2}, {20, 15}};
  for (const Rect<int> image : {Rect<int>{{-17, -10}, {80, 60}}, Rect<int>{{8, 6}, {9, 5}},
                                Rect<int>{{-5, 9}, {12, 90}}, Rect<int>{{40, 40}, {4, 3}}}) {
    glClear(GL_COLOR_BUFFER_BIT);
    renderer.draw(texture, kSize, target, image);
    const RgbImage drawn = picture();
    const Rect<int> covered = intersect(target, image);
    for (int y = 0; y < kSize.y; ++y) {
      for (int x = 0; x < kSize.x; ++x) {
        const bool inside = covered.contains({x, y});
        const glm::ivec2 texel = (glm::ivec2{x, y} - image.corner) * glm::ivec2{4, 3} / image.size;
        ASSERT_EQ(pixel(drawn, x, y),
                  inside ? colours[static_cast<std::size_t>(texel.y * 4 + texel.x)] : kUntouched)
            << x << ", " << y;
      }
    }
  }
}

TEST_F(DwellRendererTest, ATargetPastTheFramebufferKeepsItsPlace) {
  const auto colours = random_colours(100);
  DisplayTexture texture;
  texture.resize({100, 1});
  std::vector<std::uint16_t> dwells(100);
  for (std::size_t i = 0; i < dwells.size(); ++i) dwells[i] = static_cast<std::uint16_t>(i);
  texture.upload(dwells.data(), 200);
  DwellRenderer renderer;
  renderer.set_colours(colours);
  renderer.draw(texture, kSize, {{-10, 5}, {100, 1}});
  for (int x = 0; x < 90; ++x) EXPECT_EQ(pixel(picture(), x, 5), colours[static_cast<std::size_t>(x + 10)]);
  EXPECT_EQ(pixel(picture(), 90, 5), kUntouched);
}

TEST_F(DwellRendererTest, RefusesTooManyColours) {
  DwellRenderer renderer;
  EXPECT_THROW(renderer.set_colours({}), std::invalid_argument);
  EXPECT_THROW(renderer.set_colours(random_colours(65537)), std::invalid_argument);
}

}  // namespace
}  // namespace loom::render
