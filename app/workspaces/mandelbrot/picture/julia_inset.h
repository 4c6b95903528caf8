#pragma once

#include <cstdint>
#include <glm/vec2.hpp>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/tasks/task.h"
#include "app/workspaces/mandelbrot/scene/complex_view.h"
#include "compute/device/device.h"
#include "compute/engine/mandelbrot_engine.h"
#include "render/dwell_renderer.h"

namespace loom::app {

/// The Julia set of a point as a small picture, computed by the current backend on its own engine and thread.
/// It lags behind the point by one or two frames.
class JuliaInset {
 public:
  static constexpr std::uint32_t kLimit = 128;
  static constexpr float kHalfWidth = 1.8f;

  JuliaInset();
  /// Its area in the bottom-left corner of a picture of this size; empty if there is no room.
  static render::Rect<int> place_in(glm::ivec2 picture, float font_pixels);
  /// Starts a computation if point or size changed, and takes a finished one; waits for it if `waits`. If it
  /// fails, the previous picture stays. Throws DeviceFault.
  void update(glm::dvec2 c, glm::ivec2 size, const BackendSelection& backend, bool waits);
  /// Takes the reason for a failure, once.
  std::string take_problem() { return std::exchange(problem_, {}); }
  void draw(glm::ivec2 framebuffer, const render::Rect<int>& target, const render::Palette& palette);

 private:
  bool take(TaskTimeout timeout);
  std::optional<glm::dvec2> c_;
  glm::ivec2 size_{0};
  BackendSelection backend_;                  ///< of the engine
  std::unique_ptr<MandelbrotEngine> engine_;  ///< used by the task while it runs
  std::optional<render::Palette> palette_;    ///< palette of the current colours
  render::DisplayTexture texture_;
  render::DwellRenderer renderer_;
  std::string problem_;
  Task<std::vector<std::uint16_t>> task_;  ///< last member: must end before the members it uses
};

}  // namespace loom::app
