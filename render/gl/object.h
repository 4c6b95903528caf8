#pragma once

#include <glad/gl.h>

#include <utility>

namespace loom::render {

/// Owns one OpenGL object. `Kind` defines how it is created and destroyed. The context that created it must
/// be current when it is destroyed. Movable; an empty object has name 0.
template <typename Kind>
class GlObject {
 public:
  GlObject() = default;
  /// Creates an object; the arguments are those of Kind::create.
  template <typename... Args>
  static GlObject make(Args... args) {
    GlObject object;
    object.name_ = Kind::create(args...);
    return object;
  }
  ~GlObject() {
    if (name_ != 0) Kind::destroy(name_);
  }
  GlObject(GlObject&& other) noexcept : name_(std::exchange(other.name_, 0)) {}
  GlObject& operator=(GlObject&& other) noexcept {
    std::swap(name_, other.name_);
    return *this;
  }
  GLuint name() const { return name_; }

 private:
  GLuint name_ = 0;
};

struct TextureKind {
  static GLuint create(GLenum target) {
    GLuint name = 0;
    glCreateTextures(target, 1, &name);
    return name;
  }
  static void destroy(GLuint name) { glDeleteTextures(1, &name); }
};

struct VertexArrayKind {
  static GLuint create() {
    GLuint name = 0;
    glCreateVertexArrays(1, &name);
    return name;
  }
  static void destroy(GLuint name) { glDeleteVertexArrays(1, &name); }
};

struct FramebufferKind {
  static GLuint create() {
    GLuint name = 0;
    glCreateFramebuffers(1, &name);
    return name;
  }
  static void destroy(GLuint name) { glDeleteFramebuffers(1, &name); }
};

struct RenderbufferKind {
  static GLuint create() {
    GLuint name = 0;
    glCreateRenderbuffers(1, &name);
    return name;
  }
  static void destroy(GLuint name) { glDeleteRenderbuffers(1, &name); }
};

struct ShaderKind {
  static GLuint create(GLenum stage) { return glCreateShader(stage); }
  static void destroy(GLuint name) { glDeleteShader(name); }
};

struct ProgramKind {
  static GLuint create() { return glCreateProgram(); }
  static void destroy(GLuint name) { glDeleteProgram(name); }
};

using Texture = GlObject<TextureKind>;
using VertexArray = GlObject<VertexArrayKind>;
using Framebuffer = GlObject<FramebufferKind>;
using Renderbuffer = GlObject<RenderbufferKind>;

}  // namespace loom::render
