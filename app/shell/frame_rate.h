#pragma once

#include <chrono>

namespace loom::app {

/// Frames per second, averaged over about half a second.
class FrameRate {
 public:
  using Clock = std::chrono::steady_clock;
  void count(Clock::time_point now);
  /// Excludes the time until the next frame, for example after an idle wait.
  void skip();
  /// 0 before the second frame.
  double frames_per_second() const { return frames_per_second_; }

 private:
  Clock::time_point begin_{};
  int frames_ = 0;
  bool settled_ = false;  ///< the first half second has passed
  double frames_per_second_ = 0;
};

}  // namespace loom::app
