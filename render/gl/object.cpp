#include "render/gl/object.h"

#include <stdexcept>

namespace loom::render {
namespace {

using Shader = GlObject<ShaderKind>;

Shader compile(GLenum stage, ShaderSource source) {
  Shader shader = Shader::make(stage);
  const char* text = source.text.data();
  const auto length = static_cast<GLint>(source.text.size());
  glShaderSource(shader.name(), 1, &text, &length);
  glCompileShader(shader.name());
  GLint compiled = GL_FALSE;
  glGetShaderiv(shader.name(), GL_COMPILE_STATUS, &compiled);
  if (compiled == GL_FALSE) {
    GLint log_length = 0;
    glGetShaderiv(shader.name(), GL_INFO_LOG_LENGTH, &log_length);
    std::string log(static_cast<std::size_t>(log_length) + 1, '\0');
    GLsizei written = 0;
    glGetShaderInfoLog(shader.name(), log_length + 1, &written, log.data());
    log.resize(static_cast<std::size_t>(written));
    throw std::runtime_error("shader " + std::string(source.name) + " does not compile: " + log);
  }
  return shader;
}

}  // namespace

Texture make_texture(GLenum format, GLsizei width, GLsizei height) {
  Texture texture = Texture::make(static_cast<GLenum>(GL_TEXTURE_2D));
  glTextureStorage2D(texture.name(), 1, format, width, height);
  // Integer textures cannot be filtered; with the default filters they would be incomplete.
  glTextureParameteri(texture.name(), GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTextureParameteri(texture.name(), GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  return texture;
}

Program::Program(ShaderSource vertex, ShaderSource fragment)
    : program_(GlObject<ProgramKind>::make()),
      label_(std::string(vertex.name) + " + " + std::string(fragment.name)) {
  const Shader vertex_shader = compile(GL_VERTEX_SHADER, vertex);
  const Shader fragment_shader = compile(GL_FRAGMENT_SHADER, fragment);
  glAttachShader(program_.name(), vertex_shader.name());
  glAttachShader(program_.name(), fragment_shader.name());
  glLinkProgram(program_.name());
  glDetachShader(program_.name(), vertex_shader.name());
  glDetachShader(program_.name(), fragment_shader.name());
  GLint linked = GL_FALSE;
  glGetProgramiv(program_.name(), GL_LINK_STATUS, &linked);
  if (linked == GL_FALSE) {
    GLint log_length = 0;
    glGetProgramiv(program_.name(), GL_INFO_LOG_LENGTH, &log_length);
    std::string log(static_cast<std::size_t>(log_length) + 1, '\0');
    GLsizei written = 0;
    glGetProgramInfoLog(program_.name(), log_length + 1, &written, log.data());
    log.resize(static_cast<std::size_t>(written));
    throw std::runtime_error("shaders " + label_ + " do not link: " + log);
  }
}

GLint Program::uniform(const char* name) const {
  const GLint location = glGetUniformLocation(program_.name(), name);
  if (location < 0) throw std::runtime_error("shaders " + label_ + " have no uniform '" + name + "'");
  return location;
}

namespace {

bool draws_in_software() {
  const auto* text = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
  const std::string_view renderer = text != nullptr ? text : "";
  return renderer.starts_with("llvmpipe") || renderer.starts_with("softpipe");
}

}  // namespace

GpuTimer::GpuTimer() : waits_(draws_in_software()) {
  if (!waits_) glCreateQueries(GL_TIME_ELAPSED, kQueries, queries_);
}

GpuTimer::~GpuTimer() {
  if (!waits_) glDeleteQueries(kQueries, queries_);
}

void GpuTimer::begin() {
  if (running_ || pending_ == kQueries) return;
  running_ = true;
  if (waits_) {
    glFinish();
    start_ = std::chrono::steady_clock::now();
    return;
  }
  glBeginQuery(GL_TIME_ELAPSED, queries_[(first_ + pending_) % kQueries]);
}

void GpuTimer::end() {
  if (!running_) return;
  running_ = false;
  if (waits_) {
    glFinish();
    waited_ = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start_).count();
    return;
  }
  glEndQuery(GL_TIME_ELAPSED);
  ++pending_;
}

std::optional<double> GpuTimer::take() {
  std::optional<double> newest = std::exchange(waited_, std::nullopt);
  while (pending_ > 0) {
    GLint ready = GL_FALSE;
    glGetQueryObjectiv(queries_[first_], GL_QUERY_RESULT_AVAILABLE, &ready);
    if (ready == GL_FALSE) break;
    GLuint64 nanoseconds = 0;
    glGetQueryObjectui64v(queries_[first_], GL_QUERY_RESULT, &nanoseconds);
    newest = static_cast<double>(nanoseconds) * 1e-6;
    first_ = (first_ + 1) % kQueries;
    --pending_;
  }
  return newest;
}

}  // namespace loom::render
