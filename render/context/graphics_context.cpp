#include "render/context/graphics_context.h"

#include <fcntl.h>
#include <glad/gl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "render/cuda_interop.h"

namespace loom::render {
namespace {

std::string gl_string(GLenum name) {
  const GLubyte* text = glGetString(name);
  return text != nullptr ? reinterpret_cast<const char*>(text) : "unknown";
}

}  // namespace

GlInfo current_gl_info() {
  return {
      .vendor = gl_string(GL_VENDOR), .renderer = gl_string(GL_RENDERER), .version = gl_string(GL_VERSION)};
}

void GraphicsContext::clear(glm::u8vec3 colour) {
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer());
  glDisable(GL_SCISSOR_TEST);
  const glm::vec3 shares = glm::vec3(colour) / 255.0f;
  glClearColor(shares.r, shares.g, shares.b, 1);
  glClear(GL_COLOR_BUFFER_BIT);
}

int GraphicsContext::cuda_device() const {
  const CudaGlDevices found = cuda_devices_of_current_context();
  return found.ordinals.empty() ? -1 : found.ordinals.front();
}

StderrSilencer::StderrSilencer() {
  for (const char* variable : {"EGL_LOG_LEVEL", "LIBGL_DEBUG", "MESA_DEBUG"}) {
    if (std::getenv(variable) != nullptr) return;
  }
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere < 0) return;
  std::fflush(stderr);
  standard_error_ = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  if (standard_error_ >= 0) dup2(nowhere, STDERR_FILENO);
  close(nowhere);
}

StderrSilencer::~StderrSilencer() {
  if (standard_error_ < 0) return;
  std::fflush(stderr);
  dup2(standard_error_, STDERR_FILENO);
  close(standard_error_);
}

}  // namespace loom::render
