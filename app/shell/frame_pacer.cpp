#include "app/shell/frame_pacer.h"

#include <GLFW/glfw3.h>

namespace loom::app {
namespace {

// Vertical sync returns a little before the period is over, seen from here; that must not cost a second
// period.
constexpr double kOnTime = 0.8;

// At rest: what changes all the same, as a text field's cursor, is a tenth of a second late.
constexpr double kIdleSeconds = 0.1;

double refresh_rate() {
  GLFWmonitor* monitor = glfwGetPrimaryMonitor();
  const GLFWvidmode* mode = monitor != nullptr ? glfwGetVideoMode(monitor) : nullptr;
  return mode != nullptr && mode->refreshRate >= 20 ? mode->refreshRate : 60;
}

}  // namespace

FramePacer::FramePacer() : period_(1 / refresh_rate()), last_(Clock::now()) {}

void FramePacer::wait_events(bool is_idle) {
  if (is_idle) {
    glfwWaitEventsTimeout(kIdleSeconds);
    last_ = Clock::now();
    return;
  }
  const Clock::time_point due = last_ + std::chrono::duration_cast<Clock::duration>(period_);
  glfwPollEvents();
  auto now = Clock::now();
  if (now - last_ < kOnTime * period_) {
    // An event ends the wait early; the frame that shows it comes when the period is over all the same.
    while ((now = Clock::now()) < due)
      glfwWaitEventsTimeout(std::chrono::duration<double>(due - now).count());
  }
  last_ = now;
}

}  // namespace loom::app
