#include "app/draw_timer.h"

#include <glad/gl.h>

#include <utility>

namespace loom::app {

bool draws_in_software(const render::GlInfo& driver) {
  return driver.renderer.find("llvmpipe") != std::string::npos ||
         driver.renderer.find("softpipe") != std::string::npos;
}

DrawTimer::DrawTimer(const render::GlInfo& driver) : software_(draws_in_software(driver)) {}

void DrawTimer::begin() {
  if (!software_) {
    queries_.begin();
    return;
  }
  glFinish();
  begin_ = std::chrono::steady_clock::now();
}

void DrawTimer::end() {
  if (!software_) {
    queries_.end();
    return;
  }
  glFinish();
  measured_ = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin_).count();
}

std::optional<double> DrawTimer::take() {
  return software_ ? std::exchange(measured_, std::nullopt) : queries_.take();
}

}  // namespace loom::app
