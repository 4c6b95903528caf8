#include <glad/gl.h>

#include <cstring>

#include "gl_fixture.h"
#include "render/png.h"

namespace loom::render {
namespace {

TEST_F(GlTest, ContextIsOpenGl45Core) {
  GLint major = 0;
  GLint minor = 0;
  GLint profile = 0;
  glGetIntegerv(GL_MAJOR_VERSION, &major);
  glGetIntegerv(GL_MINOR_VERSION, &minor);
  glGetIntegerv(GL_CONTEXT_PROFILE_MASK, &profile);
  EXPECT_GE(major * 10 + minor, 45);
  EXPECT_TRUE(profile & GL_CONTEXT_CORE_PROFILE_BIT);
  EXPECT_FALSE(context_->info().vendor.empty());
  EXPECT_FALSE(context_->info().renderer.empty());
  EXPECT_FALSE(context_->info().version.empty());
}

TEST_F(GlTest, OffscreenStartsBlackAtTheAskedSize) {
  EXPECT_EQ(context_->framebuffer_size(), kSize);
  EXPECT_NE(context_->framebuffer(), 0u);
  EXPECT_EQ(context_->window(), nullptr);
  const RgbImage image = read_framebuffer(context_->framebuffer(), kSize);
  ASSERT_EQ(image.rgb.size(), 3u * kSize.x * kSize.y);
  for (const std::uint8_t channel : image.rgb) ASSERT_EQ(channel, 0);
}

TEST_F(GlTest, FramebufferKeepsEveryByteValue) {
  glEnable(GL_SCISSOR_TEST);
  glDisable(GL_DITHER);
  for (int value = 0; value < 256; ++value) {
    glScissor(value % 97, value / 97, 1, 1);
    const float level = static_cast<float>(value) / 255;
    glClearColor(level, 1 - level, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
  }
  glDisable(GL_SCISSOR_TEST);
  const RgbImage image = read_framebuffer(context_->framebuffer(), kSize);
  for (int value = 0; value < 256; ++value) {
    const int row = kSize.y - 1 - value / 97;
    const std::size_t at = 3 * (static_cast<std::size_t>(row) * kSize.x + value % 97);
    ASSERT_EQ(image.rgb[at], value);
    ASSERT_EQ(image.rgb[at + 1], 255 - value);
  }
}

TEST_F(GlTest, DebugMessagesAreKeptUntilTaken) {
  glEnable(0xFFFF);
  const std::vector<std::string> messages = take_gl_messages();
  ASSERT_EQ(messages.size(), 1u);
  EXPECT_EQ(messages[0].rfind("api/error/high: ", 0), 0u) << messages[0];
  EXPECT_TRUE(take_gl_messages().empty());
  while (glGetError() != GL_NO_ERROR) {
  }
}

TEST_F(GlTest, InstallingTheDebugCallbackTwiceKeepsOneLog) {
  glEnable(0xFFFF);
  install_gl_debug(false);
  EXPECT_EQ(take_gl_messages().size(), 1u);
  while (glGetError() != GL_NO_ERROR) {
  }
}

TEST_F(GlTest, ContextsDoNotDisturbEachOther) {
  {
    const std::unique_ptr<GraphicsContext> other = make_offscreen({3, 2});
    glClearColor(1, 1, 1, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    EXPECT_EQ(read_framebuffer(other->framebuffer(), {3, 2}).rgb, std::vector<std::uint8_t>(18, 255));
  }
  context_.reset();
  context_ = make_offscreen({1, 1});
  EXPECT_EQ(read_framebuffer(context_->framebuffer(), {1, 1}).rgb, std::vector<std::uint8_t>(3, 0));
}

TEST(Offscreen, RefusesImpossibleSizesWithTheReason) {
  EXPECT_THROW(make_offscreen({0, 10}), std::runtime_error);
  EXPECT_THROW(make_offscreen({10, -1}), std::runtime_error);
  try {
    make_offscreen({1 << 24, 8});
    FAIL() << "16777216 pixels wide was accepted";
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::strstr(error.what(), "16777216 x 8"), nullptr) << error.what();
    EXPECT_NE(std::strstr(error.what(), "too large"), nullptr) << error.what();
  }
}

TEST(Offscreen, MissingCudaDeviceFallsBackToAnother) {
  const std::unique_ptr<GraphicsContext> context = make_offscreen({4, 4}, 4711);
  EXPECT_EQ(context->framebuffer_size(), (glm::ivec2{4, 4}));
}

TEST_F(GlTest, CudaDeviceNeverThrows) {
  EXPECT_GE(context_->cuda_device(), -1);
}

}  // namespace
}  // namespace loom::render
