#pragma once

namespace loom::render {

/// Discards standard error during its lifetime: drivers that search for a device print a line for each one
/// that does not exist. Use it only around the creation of a context. If EGL_LOG_LEVEL, LIBGL_DEBUG or
/// MESA_DEBUG is set, the output is wanted and nothing is discarded.
class StderrSilencer {
 public:
  StderrSilencer();
  ~StderrSilencer();
  StderrSilencer(const StderrSilencer&) = delete;
  StderrSilencer& operator=(const StderrSilencer&) = delete;

 private:
  int standard_error_ = -1;  ///< the original file descriptor
};

}  // namespace loom::render
