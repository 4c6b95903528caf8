#include <glad/egl.h>
#include <glad/gl.h>

#include <algorithm>
#include <array>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "render/context/graphics_context.h"
#include "render/gl/debug.h"
#include "render/gl/object.h"

namespace loom::render {
namespace {

/// A platform on which EGL can render without a window: a device, or Mesa's surfaceless platform.
struct EglPlatform {
  EGLenum platform = 0;
  void* native_display = nullptr;
  std::string name;       ///< for error messages: "EGL device 0 (CUDA device 0)"
  int cuda_device = -1;   ///< ordinal from EGL_NV_device_cuda, otherwise -1
  bool software = false;  ///< renders on the CPU
};

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

std::string egl_error_name(EGLint error) {
  static constexpr std::array kNames = {
      "EGL_SUCCESS",       "EGL_NOT_INITIALIZED", "EGL_BAD_ACCESS",        "EGL_BAD_ALLOC",
      "EGL_BAD_ATTRIBUTE", "EGL_BAD_CONFIG",      "EGL_BAD_CONTEXT",       "EGL_BAD_CURRENT_SURFACE",
      "EGL_BAD_DISPLAY",   "EGL_BAD_MATCH",       "EGL_BAD_NATIVE_PIXMAP", "EGL_BAD_NATIVE_WINDOW",
      "EGL_BAD_PARAMETER", "EGL_BAD_SURFACE"};
  const auto index = static_cast<std::size_t>(error - EGL_SUCCESS);
  return index < kNames.size() ? kNames[index] : "EGL error " + std::to_string(error);
}

[[noreturn]] void throw_egl_error(const char* call) {
  throw std::runtime_error(std::string(call) + " gives " + egl_error_name(eglGetError()));
}

/// Whole-word search, because an extension's name may be a prefix of another one's.
bool has_extension(const char* list, std::string_view name) {
  std::string_view rest = list != nullptr ? list : "";
  while (!rest.empty()) {
    const std::size_t space = std::min(rest.find(' '), rest.size());
    if (rest.substr(0, space) == name) return true;
    rest.remove_prefix(std::min(space + 1, rest.size()));
  }
  return false;
}

EglPlatform describe(EGLDeviceEXT device, int index) {
  EglPlatform platform{.platform = EGL_PLATFORM_DEVICE_EXT,
                       .native_display = device,
                       .name = "EGL device " + std::to_string(index)};
  const char* extensions = eglQueryDeviceStringEXT(device, EGL_EXTENSIONS);
  if (has_extension(extensions, "EGL_NV_device_cuda")) {
    EGLAttrib ordinal = -1;
    if (eglQueryDeviceAttribEXT(device, EGL_CUDA_DEVICE_NV, &ordinal) == EGL_TRUE) {
      platform.cuda_device = static_cast<int>(ordinal);
      platform.name += " (CUDA device " + std::to_string(ordinal) + ")";
    }
  }
  platform.software = has_extension(extensions, "EGL_MESA_device_software");
  if (platform.software) platform.name += " (software)";
  return platform;
}

/// The EGL platforms of this machine, best first: the device that is CUDA device `prefer_cuda_device` if that
/// is >= 0, other GPU devices, devices that render on the CPU, Mesa's surfaceless platform. Throws
/// std::runtime_error if there is no EGL library or it offers no such platform.
std::vector<EglPlatform> list_egl_platforms(int prefer_cuda_device) {
  if (gladLoaderLoadEGL(EGL_NO_DISPLAY) == 0) throw std::runtime_error("the EGL library cannot be loaded");
  const char* client = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
  if (!has_extension(client, "EGL_EXT_platform_base")) {
    throw std::runtime_error("EGL offers no platforms without a window (EGL_EXT_platform_base)");
  }
  std::vector<EglPlatform> platforms;
  const bool enumerates =
      has_extension(client, "EGL_EXT_device_base") ||
      (has_extension(client, "EGL_EXT_device_enumeration") && has_extension(client, "EGL_EXT_device_query"));
  if (enumerates && has_extension(client, "EGL_EXT_platform_device")) {
    EGLint count = 0;
    if (eglQueryDevicesEXT(0, nullptr, &count) != EGL_TRUE) count = 0;
    std::vector<EGLDeviceEXT> devices(static_cast<std::size_t>(count));
    if (count > 0 && eglQueryDevicesEXT(count, devices.data(), &count) == EGL_TRUE) {
      for (int i = 0; i < count; ++i) platforms.push_back(describe(devices[static_cast<std::size_t>(i)], i));
    }
  }
  const auto rank = [prefer_cuda_device](const EglPlatform& platform) {
    if (prefer_cuda_device >= 0 && platform.cuda_device == prefer_cuda_device) return 0;
    return platform.software ? 2 : 1;
  };
  std::ranges::stable_sort(platforms, {}, rank);
  if (has_extension(client, "EGL_MESA_platform_surfaceless")) {
    platforms.push_back({.platform = EGL_PLATFORM_SURFACELESS_MESA,
                         .native_display = EGL_DEFAULT_DISPLAY,
                         .name = "Mesa's surfaceless platform"});
  }
  if (platforms.empty()) {
    throw std::runtime_error("EGL offers neither devices nor Mesa's surfaceless platform");
  }
  return platforms;
}

EglContext::EglContext(const EglPlatform& platform) {
  display_ = eglGetPlatformDisplayEXT(platform.platform, platform.native_display, nullptr);
  if (display_ == EGL_NO_DISPLAY) throw_egl_error("eglGetPlatformDisplayEXT");
  if (eglInitialize(display_, nullptr, nullptr) != EGL_TRUE) throw_egl_error("eglInitialize");
  // Before a display is initialised, the loader only knows the client extensions.
  if (gladLoaderLoadEGL(display_) < GLAD_MAKE_VERSION(1, 5))
    throw std::runtime_error("EGL 1.5 is not supported");
  create_context();
}

void EglContext::create_context() {
  const char* extensions = eglQueryString(display_, EGL_EXTENSIONS);
  if (!has_extension(extensions, "EGL_KHR_surfaceless_context")) {
    throw std::runtime_error("contexts without a surface (EGL_KHR_surfaceless_context) are not supported");
  }
  if (eglBindAPI(EGL_OPENGL_API) != EGL_TRUE) throw_egl_error("eglBindAPI");
  EGLConfig config = EGL_NO_CONFIG_KHR;
  if (!has_extension(extensions, "EGL_KHR_no_config_context")) {
    const EGLint wanted[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT,
                             EGL_NONE};
    EGLint count = 0;
    if (eglChooseConfig(display_, wanted, &config, 1, &count) != EGL_TRUE) throw_egl_error("eglChooseConfig");
    if (count == 0) throw std::runtime_error("no configuration that renders OpenGL");
  }
  const EGLint attributes[] = {EGL_CONTEXT_MAJOR_VERSION,
                               4,
                               EGL_CONTEXT_MINOR_VERSION,
                               5,
                               EGL_CONTEXT_OPENGL_PROFILE_MASK,
                               EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                               EGL_CONTEXT_OPENGL_DEBUG,
                               EGL_TRUE,
                               EGL_NONE};
  context_ = eglCreateContext(display_, config, EGL_NO_CONTEXT, attributes);
  if (context_ == EGL_NO_CONTEXT) throw_egl_error("eglCreateContext (OpenGL 4.5 core)");
  try {
    make_current();
  } catch (...) {
    eglDestroyContext(display_, context_);
    throw;
  }
}

EglContext::~EglContext() {
  if (eglGetCurrentContext() == context_) {
    eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
  }
  eglDestroyContext(display_, context_);
  // The display stays initialised: EGL shares one display per device in the whole process, and eglTerminate
  // would end every other context on it.
}

void EglContext::make_current() const {
  if (eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, context_) != EGL_TRUE) {
    throw_egl_error("eglMakeCurrent");
  }
}

class OffscreenContext final : public GraphicsContext {
 public:
  OffscreenContext(const EglPlatform& platform, glm::ivec2 size) : egl_(platform), size_(size) {
    if (gladLoadGL(reinterpret_cast<GLADloadfunc>(eglGetProcAddress)) == 0) {
      throw std::runtime_error("the driver's OpenGL functions cannot be loaded");
    }
    install_gl_debug(false);
    try {
      create_framebuffer();
    } catch (...) {
      remove_gl_debug();
      throw;
    }
  }
  ~OffscreenContext() override {
    // The objects below need the context; EGL is terminated after them.
    egl_.make_current();
    framebuffer_ = {};
    colour_ = {};
    remove_gl_debug();
  }

  GlInfo info() const override { return current_gl_info(); }
  glm::ivec2 framebuffer_size() const override { return size_; }
  unsigned framebuffer() const override { return framebuffer_.name(); }
  void present() override { glFlush(); }

 private:
  void create_framebuffer() {
    GLint largest = 0;
    glGetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &largest);
    if (size_.x > largest || size_.y > largest) {
      throw std::runtime_error("an image of " + std::to_string(size_.x) + " x " + std::to_string(size_.y) +
                               " pixels is too large; this driver draws at most " + std::to_string(largest) +
                               " x " + std::to_string(largest));
    }
    colour_ = Renderbuffer::make();
    glNamedRenderbufferStorage(colour_.name(), GL_RGBA8, size_.x, size_.y);
    framebuffer_ = Framebuffer::make();
    glNamedFramebufferRenderbuffer(framebuffer_.name(), GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER,
                                   colour_.name());
    const GLenum status = glCheckNamedFramebufferStatus(framebuffer_.name(), GL_FRAMEBUFFER);
    if (status != GL_FRAMEBUFFER_COMPLETE) {
      throw std::runtime_error("the off-screen framebuffer is incomplete (status " + std::to_string(status) +
                               ")");
    }
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_.name());
    glViewport(0, 0, size_.x, size_.y);
    glClearColor(0, 0, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
  }

  EglContext egl_;
  glm::ivec2 size_{0};
  Renderbuffer colour_;
  Framebuffer framebuffer_;
};

}  // namespace

std::unique_ptr<GraphicsContext> make_offscreen(glm::ivec2 size, int prefer_cuda_device) {
  if (size.x < 1 || size.y < 1) {
    throw std::runtime_error("an image of " + std::to_string(size.x) + " x " + std::to_string(size.y) +
                             " pixels cannot be drawn; each side is at least 1");
  }
  const StderrSilencer quiet;
  std::string refusals;
  for (const EglPlatform& platform : list_egl_platforms(prefer_cuda_device)) {
    try {
      return std::make_unique<OffscreenContext>(platform, size);
    } catch (const std::runtime_error& error) {
      refusals += (refusals.empty() ? "" : "; ") + platform.name + ": " + error.what();
    }
  }
  throw std::runtime_error("no off-screen OpenGL 4.5 context: " + refusals);
}

}  // namespace loom::render
