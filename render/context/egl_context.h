#pragma once

#include <glad/egl.h>

#include <memory>
#include <string>
#include <vector>

namespace loom::render {

/// Somewhere EGL may render without a window: a device, or Mesa's surfaceless platform.
struct EglPlatform {
  EGLenum platform = 0;
  void* native_display = nullptr;
  std::string name;       ///< for error messages: "EGL device 0 (CUDA device 0)"
  int cuda_device = -1;   ///< ordinal that EGL_NV_device_cuda gives, else -1
  bool software = false;  ///< draws on the CPU
};

/// What this machine's EGL offers, best first: the device that is CUDA device `prefer_cuda_device` where that
/// is
/// >= 0, other devices that are GPUs, devices that draw on the CPU, Mesa's surfaceless platform. Throws
/// std::runtime_error where there is no EGL library or it offers nothing of the kind.
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
