#include "app/shell/frame_pacer.h"

#include <GLFW/glfw3.h>

namespace loom::app {
namespace {

// With vertical sync, a frame may arrive slightly before its period has elapsed on this clock. A frame at or
// above this fraction of the period counts as on time, so that no second period is waited.
constexpr double kOnTime = 0.8;

// Wait while idle. Anything that changes without an event, such as a text cursor, is up to this much late.
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
    // An event ends the wait early, but the next frame still starts when the period has elapsed.
    while ((now = Clock::now()) < due)
      glfwWaitEventsTimeout(std::chrono::duration<double>(due - now).count());
  }
  last_ = now;
}

}  // namespace loom::app
