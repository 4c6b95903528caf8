#include <glad/gl.h>

#include <chrono>
#include <cstdint>
#include <vector>

#include "gl_fixture.h"
#include "render/gl/object.h"
#include "render/renderers.h"

namespace loom::render {
namespace {

TEST_F(GlTest, TimerMeasuresAndReturnsEachResultOnce) {
  GpuTimer timer;
  EXPECT_FALSE(timer.take().has_value());
  const auto start = std::chrono::steady_clock::now();
  timer.begin();
  for (int i = 0; i < 20; ++i) glClear(GL_COLOR_BUFFER_BIT);
  timer.end();
  glFinish();
  const std::chrono::duration<double, std::milli> wall = std::chrono::steady_clock::now() - start;
  const std::optional<double> measured = timer.take();
  ASSERT_TRUE(measured.has_value());
  EXPECT_GE(*measured, 0);
  EXPECT_LE(*measured, wall.count() + 1);
  EXPECT_FALSE(timer.take().has_value());
}

TEST_F(GlTest, TimerNeverBlocksHoweverLongItsResultsAreLeft) {
  GpuTimer timer;
  for (int i = 0; i < 50; ++i) {
    timer.begin();
    glClear(GL_COLOR_BUFFER_BIT);
    timer.end();
  }
  glFinish();
  EXPECT_TRUE(timer.take().has_value());
  timer.begin();
  timer.end();
  glFinish();
  EXPECT_TRUE(timer.take().has_value());
}

TEST_F(GlTest, TimerIgnoresUnpairedCalls) {
  GpuTimer timer;
  timer.end();
  timer.begin();
  timer.begin();
  timer.end();
  timer.end();
  glFinish();
  EXPECT_TRUE(timer.take().has_value());
}

// The timer queries of Mesa's llvmpipe fail this test, because they measure only the last tiles.
TEST(GpuTimerOnSoftware, CoversTheWholeOfWhatIsDrawn) {
  constexpr glm::ivec2 kLarge{1280, 720};
  const std::unique_ptr<GraphicsContext> context = make_offscreen(kLarge);
  if (context->info().renderer.find("llvmpipe") == std::string::npos) {
    GTEST_SKIP() << "drawn by " << context->info().renderer;
  }
  DisplayTexture texture;
  texture.resize(kLarge);
  const std::vector<std::uint16_t> values(1280 * 720, 65535);
  texture.upload(values.data(), 2560);
  FieldRenderer renderer;
  const Rect<int> whole{{}, kLarge};
  GpuTimer timer;
  for (int i = 0; i < 5; ++i) {
    glFinish();
    const auto start = std::chrono::steady_clock::now();
    timer.begin();
    for (int repeat = 0; repeat < 5; ++repeat) renderer.draw(texture, kLarge, whole, whole);
    timer.end();
    glFinish();
    const std::chrono::duration<double, std::milli> wall = std::chrono::steady_clock::now() - start;
    const std::optional<double> measured = timer.take();
    ASSERT_TRUE(measured.has_value());
    EXPECT_LE(*measured, wall.count());
    EXPECT_GE(*measured, wall.count() / 2);
  }
}

}  // namespace
}  // namespace loom::render
