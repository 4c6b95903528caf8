#include "render/gl/gpu_timer.h"

#include <glad/gl.h>

#include <chrono>

#include "gl_fixture.h"

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

}  // namespace
}  // namespace loom::render
