#include "render/gl/gpu_timer.h"

#include <glad/gl.h>

namespace loom::render {

GpuTimer::GpuTimer() {
  glCreateQueries(GL_TIME_ELAPSED, kQueries, queries_);
}

GpuTimer::~GpuTimer() {
  glDeleteQueries(kQueries, queries_);
}

void GpuTimer::begin() {
  if (running_ || pending_ == kQueries) return;
  glBeginQuery(GL_TIME_ELAPSED, queries_[(first_ + pending_) % kQueries]);
  running_ = true;
}

void GpuTimer::end() {
  if (!running_) return;
  glEndQuery(GL_TIME_ELAPSED);
  running_ = false;
  ++pending_;
}

std::optional<double> GpuTimer::take() {
  std::optional<double> newest;
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
