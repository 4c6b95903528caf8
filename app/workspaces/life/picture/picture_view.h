#pragma once

#include <glm/vec2.hpp>

#include "app/gui/layout.h"
#include "render/camera.h"

namespace loom::app {

/// The picture on the screen: its camera, in framebuffer pixels relative to the picture's corner, and its
/// area in ImGui units. `scale`: framebuffer pixels per ImGui unit, 1 except on some high-density displays.
struct PictureView {
  const render::Camera& camera;
  Area area;
  float scale = 1;
  bool is_light = false;  ///< the background of the picture is light (theme::overlay())

  /// The screen position of a field coordinate.
  glm::vec2 screen(glm::dvec2 field) const { return area.corner + glm::vec2(camera.pixel_at(field)) / scale; }
  /// The framebuffer pixel, relative to the picture, of a screen position.
  glm::dvec2 pixel(glm::vec2 screen_point) const { return glm::dvec2((screen_point - area.corner) * scale); }
};

}  // namespace loom::app
