#include "render/context/stderr_silencer.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

namespace loom::render {

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
