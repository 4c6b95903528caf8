#pragma once

#include <chrono>

namespace loom::app {

/// Frames a second over the last half second or so.
class FrameRate {
 public:
  using Clock = std::chrono::steady_clock;
  void count(Clock::time_point now);
  /// 0 until enough frames were seen.
  double frames_per_second() const { return frames_per_second_; }

 private:
  Clock::time_point begin_{};
  int frames_ = 0;
  double frames_per_second_ = 0;
};

}  // namespace loom::app
