#include <glad/gl.h>

#include <stdexcept>

#include "render/context/egl_context.h"
#include "render/context/graphics_context.h"
#include "render/context/stderr_silencer.h"
#include "render/gl/debug.h"
#include "render/gl/object.h"

namespace loom::render {
namespace {

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
