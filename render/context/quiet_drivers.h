#pragma once

namespace loom::render {

/// While it lives, what is written to standard error goes aside: drivers that look for a device tell of each
/// one that is not there, in lines of their own among ours. Make it around what opens a context, and nothing
/// else. Whoever sets EGL_LOG_LEVEL, LIBGL_DEBUG or MESA_DEBUG wants to read them, and nothing is put aside.
class QuietDrivers {
 public:
  QuietDrivers();
  ~QuietDrivers();
  QuietDrivers(const QuietDrivers&) = delete;
  QuietDrivers& operator=(const QuietDrivers&) = delete;

 private:
  int standard_error_ = -1;  ///< what it was
};

}  // namespace loom::render
