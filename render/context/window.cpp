#include <glad/gl.h>
// glad first, so that GLFW does not include the system's OpenGL header.
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <functional>
#include <glm/common.hpp>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "render/camera.h"
#include "render/context/graphics_context.h"
#include "render/gl/debug.h"

namespace loom::render {
namespace {

constexpr int kDisplayGone = 3;  ///< the exit status for a required resource that is not available

[[noreturn]] void throw_glfw_error(const std::string& what) {
  const char* words = nullptr;
  glfwGetError(&words);
  throw std::runtime_error(what + ": " + (words != nullptr ? words : "GLFW gives no reason"));
}

// Xlib ends the program with status 1 if its server is lost, from within any call; no exception can pass
// through it. Xlib's functions are looked up by name, since GLFW loads Xlib only if it is used.
extern "C" int say_nothing(void*) {
  return 0;
}
std::function<void()> last_words;

extern "C" void end_without_display(void*, void*) {
  try {
    if (const auto say = std::exchange(last_words, nullptr)) say();
  } catch (const std::exception&) {  // the program ends in any case
  }
  constexpr std::string_view kWords = "fractal-loom: the display is gone\n";
  if (write(STDERR_FILENO, kWords.data(), kWords.size()) < 0) std::_Exit(kDisplayGone);
  std::_Exit(kDisplayGone);
}

void end_in_order_with_the_display() {
  void* const library = dlopen("libX11.so.6", RTLD_LAZY | RTLD_NOLOAD);
  if (library == nullptr) return;
  const auto display_of = reinterpret_cast<void* (*)()>(dlsym(RTLD_DEFAULT, "glfwGetX11Display"));
  void* const display = display_of != nullptr ? display_of() : nullptr;
  const auto on_error = reinterpret_cast<void* (*)(int (*)(void*))>(dlsym(library, "XSetIOErrorHandler"));
  const auto on_exit = reinterpret_cast<void (*)(void*, void (*)(void*, void*), void*)>(
      dlsym(library, "XSetIOErrorExitHandler"));
  if (display != nullptr && on_error != nullptr && on_exit != nullptr) {
    on_error(say_nothing);
    on_exit(display, end_without_display, nullptr);
  }
  dlclose(library);
}

/// The monitor that contains this point, or the first one; null if there is none.
GLFWmonitor* monitor_under(glm::ivec2 point) {
  int count = 0;
  GLFWmonitor** const monitors = glfwGetMonitors(&count);
  for (int i = 0; i < count; ++i) {
    glm::ivec2 corner{0};
    glfwGetMonitorPos(monitors[i], &corner.x, &corner.y);
    const GLFWvidmode* const mode = glfwGetVideoMode(monitors[i]);
    if (mode != nullptr && Rect<int>{corner, {mode->width, mode->height}}.contains(point)) return monitors[i];
  }
  return glfwGetPrimaryMonitor();
}

/// The size times the content scale, at most the primary monitor's work area without the window's frame.
glm::ivec2 size_on_monitor(GLFWwindow* window, glm::ivec2 size) {
  const glm::ivec2 scaled(glm::vec2(size) * content_scale(window) + 0.5f);
  GLFWmonitor* const monitor = glfwGetPrimaryMonitor();
  if (monitor == nullptr) return scaled;
  Rect<int> area;
  glfwGetMonitorWorkarea(monitor, &area.corner.x, &area.corner.y, &area.size.x, &area.size.y);
  if (area.size.x < 1 || area.size.y < 1) return scaled;
  glm::ivec2 before{0};
  glm::ivec2 after{0};
  glfwGetWindowFrameSize(window, &before.x, &before.y, &after.x, &after.y);
  return glm::max(glm::min(scaled, area.size - before - after), glm::ivec2(1));
}

/// Calls glfwInit and glfwTerminate.
class GlfwLibrary {
 public:
  GlfwLibrary() {
    if (glfwInit() == GLFW_TRUE) return;
    if (std::getenv("DISPLAY") == nullptr && std::getenv("WAYLAND_DISPLAY") == nullptr)
      throw std::runtime_error("no window system: neither DISPLAY nor WAYLAND_DISPLAY is set");
    throw_glfw_error("no window system");
  }
  ~GlfwLibrary() { glfwTerminate(); }
  GlfwLibrary(const GlfwLibrary&) = delete;
  GlfwLibrary& operator=(const GlfwLibrary&) = delete;
};

class WindowContext final : public GraphicsContext {
 public:
  explicit WindowContext(const WindowOptions& options) {
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 4);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 5);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    // There are only a few dozen calls per frame, so that error messages are worth their cost.
    glfwWindowHint(GLFW_OPENGL_DEBUG_CONTEXT, GLFW_TRUE);
    glfwWindowHint(GLFW_DEPTH_BITS, 0);
    // The name in the desktop entry (packaging/), so that a desktop can associate the window with it.
    glfwWindowHintString(GLFW_X11_CLASS_NAME, "fractal-loom");
    glfwWindowHintString(GLFW_X11_INSTANCE_NAME, "fractal-loom");
    glfwWindowHint(GLFW_STENCIL_BITS, 0);
    if (options.follows_monitor) glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
    window_ = glfwCreateWindow(options.size.x, options.size.y, options.title.c_str(), nullptr, nullptr);
    if (window_ == nullptr) throw_glfw_error("no OpenGL 4.5 window");
    glfwMakeContextCurrent(window_);
    if (gladLoadGL(glfwGetProcAddress) == 0) {
      glfwDestroyWindow(window_);
      throw std::runtime_error("no OpenGL 4.5 window: the driver's functions cannot be loaded");
    }
    end_in_order_with_the_display();
    if (options.follows_monitor) {
      const glm::ivec2 size = size_on_monitor(window_, options.size);
      glfwSetWindowSize(window_, size.x, size.y);
      glfwShowWindow(window_);
    }
    glfwSwapInterval(options.vertical_sync ? 1 : 0);
    install_gl_debug(false);
  }
  ~WindowContext() override {
    glfwMakeContextCurrent(window_);
    remove_gl_debug();
    glfwDestroyWindow(window_);
  }

  GlInfo info() const override { return current_gl_info(); }
  glm::ivec2 framebuffer_size() const override {
    glm::ivec2 size{0};
    glfwGetFramebufferSize(window_, &size.x, &size.y);
    return size;
  }
  unsigned framebuffer() const override { return 0; }
  void present() override { glfwSwapBuffers(window_); }
  GLFWwindow* window() const override { return window_; }
  void set_full_screen(bool full) override {
    if (full == (glfwGetWindowMonitor(window_) != nullptr)) return;
    if (!full) {
      glfwSetWindowMonitor(window_, nullptr, before_.corner.x, before_.corner.y, before_.size.x,
                           before_.size.y, GLFW_DONT_CARE);
      return;
    }
    glfwGetWindowPos(window_, &before_.corner.x, &before_.corner.y);
    glfwGetWindowSize(window_, &before_.size.x, &before_.size.y);
    GLFWmonitor* const monitor = monitor_under(before_.centre());
    const GLFWvidmode* const mode = monitor != nullptr ? glfwGetVideoMode(monitor) : nullptr;
    if (mode == nullptr) return;
    glfwSetWindowMonitor(window_, monitor, 0, 0, mode->width, mode->height, mode->refreshRate);
  }

 private:
  Rect<int> before_;  ///< the window before full screen
  GlfwLibrary library_;
  GLFWwindow* window_ = nullptr;
};

}  // namespace

float content_scale(GLFWwindow* window) {
  // If the framebuffer is finer than window units, these already include the monitor's scale.
  int width = 1;
  int framebuffer_width = 1;
  glfwGetWindowSize(window, &width, nullptr);
  glfwGetFramebufferSize(window, &framebuffer_width, nullptr);
  float scale = 1;
  if (framebuffer_width == width) glfwGetWindowContentScale(window, &scale, nullptr);
  return std::clamp(scale, 1.0f, 3.0f);
}

void on_display_lost(std::function<void()> call) {
  last_words = std::move(call);
}

std::unique_ptr<GraphicsContext> make_window(const WindowOptions& options) {
  const StderrSilencer quiet;
  return std::make_unique<WindowContext>(options);
}

}  // namespace loom::render
