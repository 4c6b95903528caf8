#include "render/context/gl_info.h"

#include <glad/gl.h>

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

}  // namespace loom::render
