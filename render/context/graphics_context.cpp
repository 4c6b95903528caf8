#include "render/context/graphics_context.h"

#include <fcntl.h>
#include <glad/gl.h>
#include <unistd.h>

#include <algorithm>
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

RgbImage read_framebuffer(unsigned framebuffer, glm::ivec2 size) {
  const auto bytes = 3 * static_cast<std::ptrdiff_t>(size.x);
  RgbImage image{size, std::vector<std::uint8_t>(static_cast<std::size_t>(bytes * size.y))};
  GLint previous = 0;
  glGetIntegerv(GL_READ_FRAMEBUFFER_BINDING, &previous);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer);
  glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glPixelStorei(GL_PACK_ROW_LENGTH, 0);
  glReadPixels(0, 0, size.x, size.y, GL_RGB, GL_UNSIGNED_BYTE, image.rgb.data());
  glPixelStorei(GL_PACK_ALIGNMENT, 4);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, static_cast<GLuint>(previous));
  // OpenGL's rows go upwards, the image's downwards.
  for (int top = 0, bottom = size.y - 1; top < bottom; ++top, --bottom) {
    std::swap_ranges(image.rgb.begin() + top * bytes, image.rgb.begin() + (top + 1) * bytes,
                     image.rgb.begin() + bottom * bytes);
  }
  return image;
}

}  // namespace loom::render
