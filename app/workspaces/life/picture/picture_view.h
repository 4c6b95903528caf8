#pragma once

#include <imgui.h>

#include "app/gui/layout.h"
#include "render/camera.h"

namespace loom::app {

/// The picture on the screen: its camera, in framebuffer pixels relative to the picture's corner, and its
/// area in ImGui units. `scale`: framebuffer pixels per ImGui unit, 1 except on some high-density displays.
struct PictureView {
  const render::Camera& camera;
  Area area;
  float scale = 1;

  /// The screen position of a field coordinate.
  ImVec2 screen(double field_x, double field_y) const {
    return {area.x + static_cast<float>(camera.pixel_x(field_x)) / scale,
            area.y + static_cast<float>(camera.pixel_y(field_y)) / scale};
  }
  /// The framebuffer pixel, relative to the picture, of a screen position.
  double pixel_x(ImVec2 screen_point) const { return static_cast<double>((screen_point.x - area.x) * scale); }
  double pixel_y(ImVec2 screen_point) const { return static_cast<double>((screen_point.y - area.y) * scale); }
  bool contains(ImVec2 screen_point) const {
    return screen_point.x >= area.x && screen_point.x < area.x + area.width && screen_point.y >= area.y &&
           screen_point.y < area.y + area.height;
  }
};

}  // namespace loom::app
