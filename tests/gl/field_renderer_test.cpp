#include <glad/gl.h>

#include <random>
#include <vector>

#include "gl_fixture.h"
#include "render/isolated_cells.h"
#include "render/png.h"
#include "render/renderers.h"

namespace loom::render {
namespace {

class FieldRendererTest : public GlTest {
 protected:
  static constexpr glm::u8vec3 kUntouched{1, 2, 3};

  void SetUp() override {
    GlTest::SetUp();
    clear();
  }

  static void clear() {
    glClearColor(1 / 255.f, 2 / 255.f, 3 / 255.f, 1);
    glClear(GL_COLOR_BUFFER_BIT);
  }

  /// Random values with many holes, dead cells and living cells.
  static std::vector<std::uint16_t> random_values(glm::ivec2 size) {
    std::mt19937 random(7);
    std::vector<std::uint16_t> values(static_cast<std::size_t>(size.x) * size.y);
    for (std::uint16_t& value : values) {
      const std::uint16_t choices[] = {0, 1, 2, 65535, static_cast<std::uint16_t>(random())};
      value = choices[random() % 5];
    }
    return values;
  }

  /// Computes the expected picture pixel by pixel.
  static RgbImage expected(const Palette& palette, const std::vector<std::uint16_t>& values,
                           glm::ivec2 texture, Rect<int> target, Rect<int> field, bool small = false) {
    RgbImage image{kSize, {}};
    IsolatedCells cells;
    const auto row_bytes = static_cast<std::size_t>(texture.x) * sizeof(std::uint16_t);
    const std::uint16_t* shown = small ? cells.enlarge(values.data(), row_bytes, texture) : values.data();
    const auto value_at = [&](glm::ivec2 at) {
      const bool inside = at.x >= 0 && at.y >= 0 && at.x < texture.x && at.y < texture.y;
      return inside ? shown[static_cast<std::size_t>(at.y) * texture.x + at.x] : std::uint16_t{0};
    };
    for (int y = 0; y < kSize.y; ++y) {
      for (int x = 0; x < kSize.x; ++x) {
        const glm::ivec2 pixel = glm::ivec2{x, y} - target.corner;
        glm::u8vec3 colour = kUntouched;
        if (target.contains({x, y})) {
          colour = palette.outside;
          const glm::ivec2 at = pixel - field.corner;
          const bool in_field = at.x >= 0 && at.y >= 0 && at.x < field.size.x && at.y < field.size.y;
          if (in_field && pixel.x < texture.x && pixel.y < texture.y) {
            colour = display_colour(palette, value_at(pixel));
          }
        }
        image.rgb.insert(image.rgb.end(), {colour.r, colour.g, colour.b});
      }
    }
    return image;
  }

  void check(const Palette& palette, glm::ivec2 texture_size, Rect<int> target, Rect<int> field) {
    check(palette, random_values(texture_size), texture_size, target, field, false);
  }

  void check(const Palette& palette, const std::vector<std::uint16_t>& values, glm::ivec2 texture_size,
             Rect<int> target, Rect<int> field, bool small) {
    DisplayTexture texture;
    texture.resize(texture_size);
    texture.upload(values.data(), static_cast<std::size_t>(texture_size.x) * 2);
    FieldRenderer renderer;
    renderer.set_palette(palette);
    using Cells = FieldRenderer::Cells;
    renderer.draw(texture, kSize, target, field, {}, small ? Cells::kSmall : Cells::kAsResolved);
    const RgbImage drawn = read_framebuffer(context_->framebuffer(), kSize);
    const RgbImage wanted = expected(palette, values, texture_size, target, field, small);
    ASSERT_EQ(drawn.rgb.size(), wanted.rgb.size());
    for (std::size_t i = 0; i < wanted.rgb.size(); ++i) {
      ASSERT_EQ(drawn.rgb[i], wanted.rgb[i])
          << palette.name << ", pixel " << i / 3 % kSize.x << ", " << i / 3 / kSize.x;
    }
  }

  static constexpr Rect<int> kWhole{{}, kSize};
};

TEST_F(FieldRendererTest, ShowsExactlyThePalettesColours) {
  for (const Palette& palette : palettes()) check(palette, kSize, kWhole, kWhole);
}

TEST_F(FieldRendererTest, ColoursEveryValueAsDisplayColourSays) {
  const std::unique_ptr<GraphicsContext> large = make_offscreen({256, 256});
  std::vector<std::uint16_t> values(65536);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::uint16_t>(i);
  {
    DisplayTexture texture;
    texture.resize({256, 256});
    texture.upload(values.data(), 512);
    FieldRenderer renderer;
    for (const Palette& palette : palettes()) {
      renderer.set_palette(palette);
      renderer.draw(texture, {256, 256}, {{0, 0}, {256, 256}}, {{0, 0}, {256, 256}});
      const RgbImage drawn = read_framebuffer(large->framebuffer(), {256, 256});
      for (std::size_t i = 0; i < values.size(); ++i) {
        const glm::u8vec3 wanted = display_colour(palette, values[i]);
        ASSERT_EQ((glm::u8vec3{drawn.rgb[3 * i], drawn.rgb[3 * i + 1], drawn.rgb[3 * i + 2]}), wanted)
            << palette.name << " " << i;
      }
    }
    EXPECT_TRUE(take_gl_messages().empty());
  }
}

TEST_F(FieldRendererTest, TargetInTheMiddleLeavesTheRestAlone) {
  check(palettes()[1], {31, 17}, {{20, 9}, {31, 17}}, {{0, 0}, {31, 17}});
}

TEST_F(FieldRendererTest, OutsideShowsBeyondTheField) {
  check(palettes()[2], {40, 40}, {{5, 6}, {40, 40}}, {{7, 3}, {11, 30}});
}

TEST_F(FieldRendererTest, FieldMayReachFarOutside) {
  check(palettes()[0], kSize, kWhole, {{-2000000000, -2000000000}, {2000000040, 2000000020}});
  check(palettes()[0], kSize, kWhole, {{30, 20}, {2147483647, 2147483647}});
}

TEST_F(FieldRendererTest, TargetIsCutAtTheFramebuffersEdges) {
  check(palettes()[3], {60, 60}, {{-13, -21}, {60, 60}}, {{0, 0}, {60, 60}});
  clear();
  check(palettes()[3], {60, 60}, {{70, 40}, {60, 60}}, {{0, 0}, {60, 60}});
}

TEST_F(FieldRendererTest, TextureSmallerThanTheTargetShowsOutsideBeyondIt) {
  check(palettes()[4], {10, 8}, kWhole, kWhole);
}

TEST_F(FieldRendererTest, EmptyFieldAndEmptyTarget) {
  check(palettes()[0], {8, 8}, {{4, 4}, {8, 8}}, {{0, 0}, {0, 0}});
  clear();
  check(palettes()[0], {8, 8}, {{4, 4}, {0, 0}}, {{0, 0}, {8, 8}});
}

TEST_F(FieldRendererTest, OnePixelPicture) {
  check(palettes()[0], {1, 1}, {{96, 60}, {1, 1}}, {{0, 0}, {1, 1}});
}

// The picture at one pixel per cell, with living cells from rare to dense.
TEST_F(FieldRendererTest, SmallCellsAreEnlargedAsTheHostComputes) {
  std::mt19937 random(3);
  for (const unsigned rarity : {200u, 30u, 4u}) {
    std::vector<std::uint16_t> values(static_cast<std::size_t>(kSize.x) * kSize.y);
    for (std::uint16_t& value : values)
      value = random() % rarity == 0 ? static_cast<std::uint16_t>(2 + random() % 65534) : random() % 2;
    check(palettes()[0], values, kSize, kWhole, kWhole, true);
    clear();
    check(palettes()[1], values, kSize, {{-5, 3}, kSize}, {{2, 1}, {60, 50}}, true);
    clear();
  }
}

TEST_F(FieldRendererTest, ALoneSmallCellIsASquareOfFourPixels) {
  std::vector<std::uint16_t> values(static_cast<std::size_t>(kSize.x) * kSize.y, 1);
  const auto at = [](int x, int y) {
    return static_cast<std::size_t>(y) * kSize.x + static_cast<std::size_t>(x);
  };
  values[at(10, 10)] = 65535;                       // alone
  values[at(30, 10)] = values[at(31, 11)] = 65535;  // two neighbours
  values[at(50, 10)] = 65535;                       // alone among holes
  for (const auto& [x, y] : {std::pair{51, 10}, {50, 11}, {51, 11}}) values[at(x, y)] = 0;
  DisplayTexture texture;
  texture.resize(kSize);
  texture.upload(values.data(), static_cast<std::size_t>(kSize.x) * 2);
  FieldRenderer renderer;
  renderer.draw(texture, kSize, kWhole, kWhole, {}, FieldRenderer::Cells::kSmall);
  const RgbImage drawn = read_framebuffer(context_->framebuffer(), kSize);
  const glm::u8vec3 living = palettes().front().ramp.back();
  std::vector<std::pair<int, int>> bright;
  for (int y = 0; y < kSize.y; ++y) {
    for (int x = 0; x < kSize.x; ++x) {
      const std::size_t i = 3 * at(x, y);
      if (glm::u8vec3{drawn.rgb[i], drawn.rgb[i + 1], drawn.rgb[i + 2]} == living) bright.emplace_back(x, y);
    }
  }
  const std::vector<std::pair<int, int>> wanted = {{10, 10}, {11, 10}, {30, 10}, {50, 10}, {51, 10},
                                                   {10, 11}, {11, 11}, {31, 11}, {50, 11}, {51, 11}};
  EXPECT_EQ(bright, wanted);
}

TEST_F(FieldRendererTest, StateThatOthersLeaveBehindDoesNotShow) {
  glEnable(GL_BLEND);
  glBlendFunc(GL_ZERO, GL_ONE);
  glEnable(GL_SCISSOR_TEST);
  glScissor(0, 0, 1, 1);
  glEnable(GL_CULL_FACE);
  glCullFace(GL_FRONT_AND_BACK);
  glColorMask(GL_FALSE, GL_TRUE, GL_FALSE, GL_TRUE);
  glViewport(3, 3, 4, 4);
  glPolygonMode(GL_FRONT_AND_BACK, GL_LINE);
  check(palettes()[0], kSize, kWhole, kWhole);
}

}  // namespace
}  // namespace loom::render
