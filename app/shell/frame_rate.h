#pragma once

#include <chrono>

namespace loom::app {

/// Frames a second over the last half second or so.
class FrameRate {
 public:
  using Clock = std::chrono::steady_clock;
  void count(Clock::time_point now);
  /// The time until the next frame is not one that a frame took.
  void skip();
  /// 0 before the second frame.
  double frames_per_second() const { return frames_per_second_; }

 private:
  Clock::time_point begin_{};
  int frames_ = 0;
  bool settled_ = false;  ///< a first half second is over
  double frames_per_second_ = 0;
};

}  // namespace loom::app
