#include <glad/gl.h>
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <stdexcept>
#include <string>

#include "render/context/graphics_context.h"
#include "render/gl/debug.h"
#include "render/png.h"
#include "render/renderers.h"

namespace loom::render {
namespace {

TEST(Window, DrawsResizesAndCloses) {
  if (std::getenv("DISPLAY") == nullptr && std::getenv("WAYLAND_DISPLAY") == nullptr) {
    GTEST_SKIP() << "no display; run it with tests/with_display.sh";
  }
  for (int round = 0; round < 2; ++round) {
    const std::unique_ptr<GraphicsContext> window =
        make_window({.size = {320, 200}, .title = "window test", .vertical_sync = false});
    ASSERT_NE(window->window(), nullptr);
    EXPECT_EQ(window->framebuffer(), 0u);
    EXPECT_EQ(window->framebuffer_size(), (glm::ivec2{320, 200}));
    DisplayTexture texture;
    FieldRenderer renderer;
    for (const glm::ivec2 size :
         {glm::ivec2{320, 200}, glm::ivec2{501, 333}, glm::ivec2{1, 1}, glm::ivec2{640, 480}}) {
      glfwSetWindowSize(window->window(), size.x, size.y);
      for (int i = 0; i < 20 && window->framebuffer_size() != size; ++i) glfwWaitEventsTimeout(0.05);
      const glm::ivec2 actual = window->framebuffer_size();
      EXPECT_EQ(actual, size);
      texture.resize(actual);
      const std::vector<std::uint16_t> living(static_cast<std::size_t>(actual.x) * actual.y, 65535);
      texture.upload(living.data(), static_cast<std::size_t>(actual.x) * 2);
      const Rect<int> whole{{}, actual};
      renderer.draw(texture, actual, whole, whole);
      const glm::u8vec3 wanted = palettes().front().ramp.back();
      const RgbImage drawn = read_framebuffer(0, actual);
      for (std::size_t i = 0; i < drawn.rgb.size(); i += 3) {
        ASSERT_EQ((glm::u8vec3{drawn.rgb[i], drawn.rgb[i + 1], drawn.rgb[i + 2]}), wanted)
            << "pixel " << i / 3;
      }
      window->present();
    }
    for (const std::string& message : take_gl_messages()) ADD_FAILURE() << message;
  }
}

TEST(Window, WithoutADisplayTheReasonIsTheWindowSystems) {
  unsetenv("DISPLAY");
  unsetenv("WAYLAND_DISPLAY");
  try {
    make_window({});
    FAIL() << "a window was created without a display";
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("DISPLAY"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace loom::render
