#include "render/gl/gpu_timer.h"

#include <glad/gl.h>

#include <string_view>
#include <utility>

namespace loom::render {
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
