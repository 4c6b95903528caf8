#pragma once

#include <functional>
#include <memory>
#include <string>

#include "render/extent.h"
#include "render/palette.h"

struct GLFWwindow;

namespace loom::render {

/// What the OpenGL driver says of itself.
struct GlInfo {
  std::string vendor;
  std::string renderer;
  std::string version;
};
/// Of the current context.
GlInfo current_gl_info();

/// An OpenGL 4.5 core context with somewhere to draw: a window on the screen or, without a display, an
/// off-screen framebuffer through EGL. Both are made by the functions below, which throw std::runtime_error
/// with the system's reason. A debug callback collects GL messages (see gl/debug.h). Whatever was made in a
/// context must go before it; destroying one leaves no context current.
class GraphicsContext {
 public:
  virtual ~GraphicsContext() = default;
  virtual GlInfo info() const = 0;
  virtual Extent framebuffer_size() const = 0;
  /// The framebuffer object to draw the frame into (0 for a window).
  virtual unsigned framebuffer() const = 0;
  /// Fills the frame, before anything is drawn.
  void clear(const Rgb& colour);
  /// Shows the frame (swap; nothing off screen).
  virtual void present() = 0;
  /// The window for input, or null off screen.
  virtual GLFWwindow* window() const { return nullptr; }
  /// The whole screen that the window is on, or a window again where and as large as it was; nothing off
  /// screen.
  virtual void set_full_screen(bool) {}
  /// CUDA ordinal of the GPU that this context draws on, -1 if none or CUDA is not built in.
  int cuda_device() const;
};

struct WindowOptions {
  Extent size{1280, 720};
  std::string title = "Fractal Loom";
  bool vertical_sync = true;
};
/// A GLFW window, made current. Throws where there is no display, with GLFW's words.
std::unique_ptr<GraphicsContext> make_window(const WindowOptions& options);

/// Has `call` made where the window's display server goes, before the program ends with status 3: nothing can
/// go on after that. One call at a time; an empty one is none.
void before_display_goes(std::function<void()> call);

/// An EGL context without a window, drawing into a framebuffer object of the given size (sRGB-less RGBA8),
/// made current. Prefers the EGL device that belongs to CUDA device `prefer_cuda_device` where it is >= 0,
/// then any EGL device, then Mesa's surfaceless platform.
std::unique_ptr<GraphicsContext> make_offscreen(Extent size, int prefer_cuda_device = -1);

}  // namespace loom::render
