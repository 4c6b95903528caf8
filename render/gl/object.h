#pragma once

#include <glad/gl.h>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
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

/// Kinds that OpenGL creates several of at once, by the functions that create and delete them.
template <auto kCreate, auto kDelete>
struct ListedKind {
  static GLuint create() {
    GLuint name = 0;
    (*kCreate)(1, &name);
    return name;
  }
  static void destroy(GLuint name) { (*kDelete)(1, &name); }
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
using VertexArray = GlObject<ListedKind<&glad_glCreateVertexArrays, &glad_glDeleteVertexArrays>>;
using Framebuffer = GlObject<ListedKind<&glad_glCreateFramebuffers, &glad_glDeleteFramebuffers>>;
using Renderbuffer = GlObject<ListedKind<&glad_glCreateRenderbuffers, &glad_glDeleteRenderbuffers>>;

/// A texture without content, whose texels are read one by one.
Texture make_texture(GLenum format, GLsizei width, GLsizei height);

/// A shader's source and its name for error messages.
struct ShaderSource {
  std::string_view name;
  std::string_view text;
};

/// A linked program of a vertex and a fragment shader.
class Program {
 public:
  /// Throws std::runtime_error with the shader's name and the compiler's (or linker's) log.
  Program(ShaderSource vertex, ShaderSource fragment);
  GLuint name() const { return program_.name(); }
  /// Location of an active uniform. Throws std::runtime_error if the program has no uniform of that name.
  GLint uniform(const char* name) const;

 private:
  GlObject<ProgramKind> program_;
  std::string label_;
};

/// Times GL commands with GL_TIME_ELAPSED queries without stalling: a result is taken when it is ready, some
/// frames later. If the GPU is so far behind that every query is still in flight, a begin/end pair is not
/// measured. Pairs must not nest, nor overlap those of another timer (an OpenGL rule).
///
/// Mesa's software rasterisers draw tile by tile, long after the calls, and their queries cover only a part
/// of the drawing (measured: 0.02 to 10 ms for the same 8 ms). With them, begin and end wait for all drawing
/// and read the clock; this causes no idle time, because the drawing runs on the same cores.
class GpuTimer {
 public:
  /// Requires a current context, which owns its queries; the timer must be destroyed before the context.
  GpuTimer();
  ~GpuTimer();
  GpuTimer(const GpuTimer&) = delete;
  GpuTimer& operator=(const GpuTimer&) = delete;
  void begin();
  void end();
  /// The newest finished measurement in milliseconds that has not been returned yet, if any.
  std::optional<double> take();
  /// True if end() returns only when the drawing is done. A clock around the pair then already includes the
  /// time, and the result of take() must not be added to it.
  bool waits() const { return waits_; }

 private:
  static constexpr int kQueries = 4;
  unsigned queries_[kQueries] = {};
  int first_ = 0;    ///< oldest pending
  int pending_ = 0;  ///< number of queries in flight
  bool running_ = false;
  bool waits_ = false;  ///< true on a software rasteriser
  std::chrono::steady_clock::time_point start_;
  std::optional<double> waited_;
};

}  // namespace loom::render
