#pragma once

#include <chrono>

struct GLFWwindow;

namespace loom::app {

/// Keeps the loop of the window at the refresh rate where vertical sync does not (remote or virtual displays,
/// drivers that ignore it): waits for input during the rest of the period. Waits longer when nothing moves,
/// so that an idle window uses almost no CPU time.
class FramePacer {
 public:
  /// The window's monitor, or 60 Hz where it has none.
  FramePacer();
  /// Call once a frame, in place of glfwPollEvents. `rests`: nothing moves; whatever happens to the window
  /// ends the wait at once.
  void wait_events(bool is_idle);

 private:
  using Clock = std::chrono::steady_clock;
  std::chrono::duration<double> period_;
  Clock::time_point last_;
};

}  // namespace loom::app
