#include "app/shell/frame_rate.h"

namespace loom::app {

void FrameRate::skip() {
  begin_ = {};
  frames_ = 0;
}

void FrameRate::count(Clock::time_point now) {
  if (begin_ == Clock::time_point{}) {
    begin_ = now;
    return;
  }
  ++frames_;
  const double seconds = std::chrono::duration<double>(now - begin_).count();
  if (seconds < 0.5 && settled_) return;
  frames_per_second_ = frames_ / seconds;
  if (seconds < 0.5) return;  // provisional value during the first half second
  settled_ = true;
  frames_ = 0;
  begin_ = now;
}

}  // namespace loom::app
