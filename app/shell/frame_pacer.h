#pragma once

#include <chrono>

struct GLFWwindow;

namespace loom::app {

/// Keeps the window's loop at the screen's pace where vertical sync does not (a remote or virtual display, a
/// driver that ignores it): waits for input during the rest of the refresh period instead of drawing unseen
/// frames. Where nothing moves it waits for longer, so that a window that is only looked at leaves the
/// machine alone; where the CPU draws, that is most of one of its cores.
class FramePacer {
 public:
  /// The window's monitor, or 60 Hz where it has none.
  FramePacer();
  /// Call once a frame, in place of glfwPollEvents. `rests`: nothing moves; whatever happens to the window
  /// ends the wait at once.
  void wait_events(bool rests);

 private:
  using Clock = std::chrono::steady_clock;
  std::chrono::duration<double> period_;
  Clock::time_point last_;
};

}  // namespace loom::app
