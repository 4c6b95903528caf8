#pragma once

#include <functional>
#include <glm/fwd.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <memory>
#include <string>

#include "render/png.h"

struct GLFWwindow;

namespace loom::render {

/// Vendor, renderer and version strings of the OpenGL driver.
struct GlInfo {
  std::string vendor;
  std::string renderer;
  std::string version;
};
/// The strings of the current context.
GlInfo current_gl_info();

/// An OpenGL 4.5 core context with a drawing target: a window on the screen or, without a display, an
/// off-screen framebuffer through EGL. The functions below create both and throw std::runtime_error with the
/// system's reason. A debug callback collects GL messages (see gl/debug.h). Objects created in a context must
/// be destroyed before it; destroying a context leaves no context current.
class GraphicsContext {
 public:
  virtual ~GraphicsContext() = default;
  virtual GlInfo info() const = 0;
  virtual glm::ivec2 framebuffer_size() const = 0;
  /// The framebuffer object to draw the frame into (0 for a window).
  virtual unsigned framebuffer() const = 0;
  /// Fills the frame before anything is drawn.
  void clear(glm::u8vec3 colour);
  /// Presents the frame (swaps buffers; no effect off screen).
  virtual void present() = 0;
  /// The window for input, or null off screen.
  virtual GLFWwindow* window() const { return nullptr; }
  /// Switches between full screen, on the window's screen, and the window's previous position and size; no
  /// effect off screen.
  virtual void set_full_screen(bool) {}
  /// CUDA ordinal of the GPU that this context renders on; -1 if there is none or CUDA is not built in.
  int cuda_device() const;
};

struct WindowOptions {
  glm::ivec2 size{1280, 720};
  /// Multiplies the size by content_scale() and fits it into the monitor's work area.
  bool follows_monitor = false;
  std::string title = "Fractal Loom";
  bool vertical_sync = true;
};
/// Creates a GLFW window and makes its context current. Throws with GLFW's message if there is no display.
std::unique_ptr<GraphicsContext> make_window(const WindowOptions& options);

/// The factor, 1 to 3, by which text and the window's initial size follow the density of the monitor; 1 where
/// window units already do.
float content_scale(GLFWwindow* window);

/// Sets a function that is called when the connection to the window's display server is lost, before the
/// program ends with status 3: the program cannot continue after that. There is one function at a time; an
/// empty one removes it.
void on_display_lost(std::function<void()> call);

/// Creates an EGL context without a window, which draws into a framebuffer object of the given size (RGBA8,
/// not sRGB), and makes it current. Prefers the EGL device that belongs to CUDA device `prefer_cuda_device`
/// if that is >= 0, then any EGL device, then Mesa's surfaceless platform.
std::unique_ptr<GraphicsContext> make_offscreen(glm::ivec2 size, int prefer_cuda_device = -1);

/// Discards standard error during its lifetime: drivers that search for a device print a line for each one
/// that does not exist. Use it only around the creation of a context. If EGL_LOG_LEVEL, LIBGL_DEBUG or
/// MESA_DEBUG is set, the output is wanted and nothing is discarded.
class StderrSilencer {
 public:
  StderrSilencer();
  ~StderrSilencer();
  StderrSilencer(const StderrSilencer&) = delete;
  StderrSilencer& operator=(const StderrSilencer&) = delete;

 private:
  int standard_error_ = -1;  ///< the original file descriptor
};

/// Reads back the framebuffer object `framebuffer` of the current context.
RgbImage read_framebuffer(unsigned framebuffer, glm::ivec2 size);

}  // namespace loom::render
