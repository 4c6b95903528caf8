#pragma once

#include <chrono>

struct GLFWwindow;

namespace loom::app {

/// Limits the window's loop to the refresh rate where vertical sync does not (remote or virtual displays,
/// drivers that ignore it): waits for input during the rest of the period. Waits longer when the window is
/// idle, so that it uses almost no CPU time.
class FramePacer {
 public:
  /// Uses the refresh rate of the primary monitor, or 60 Hz if it is unknown.
  FramePacer();
  /// Call once per frame instead of glfwPollEvents(). `is_idle`: nothing is animated; any window event ends
  /// the wait at once.
  void wait_events(bool is_idle);

 private:
  using Clock = std::chrono::steady_clock;
  std::chrono::duration<double> period_;
  Clock::time_point last_;
};

}  // namespace loom::app
