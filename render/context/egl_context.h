#pragma once

#include <glad/egl.h>

#include <memory>
#include <string>
#include <vector>

namespace loom::render {

/// A platform on which EGL can render without a window: a device, or Mesa's surfaceless platform.
struct EglPlatform {
  EGLenum platform = 0;
  void* native_display = nullptr;
  std::string name;       ///< for error messages: "EGL device 0 (CUDA device 0)"
  int cuda_device = -1;   ///< ordinal from EGL_NV_device_cuda, otherwise -1
  bool software = false;  ///< renders on the CPU
};

/// The EGL platforms of this machine, best first: the device that is CUDA device `prefer_cuda_device` if that
/// is >= 0, other GPU devices, devices that render on the CPU, Mesa's surfaceless platform. Throws
/// std::runtime_error if there is no EGL library or it offers no such platform.
std::vector<EglPlatform> list_egl_platforms(int prefer_cuda_device);

/// An initialised display with an OpenGL 4.5 core debug context, current on this thread, without a surface.
class EglContext {
 public:
  /// Throws std::runtime_error with the EGL call that failed and its error.
  explicit EglContext(const EglPlatform& platform);
  ~EglContext();
  EglContext(const EglContext&) = delete;
  EglContext& operator=(const EglContext&) = delete;
  void make_current() const;

 private:
  void create_context();
  EGLDisplay display_ = EGL_NO_DISPLAY;
  EGLContext context_ = EGL_NO_CONTEXT;
};

}  // namespace loom::render
