#pragma once

#include <imgui.h>

#include <glm/vec2.hpp>
#include <optional>

#include "app/gui/layout.h"
#include "app/workspaces/mandelbrot/scene/complex_view.h"

namespace loom::app {

/// Mouse gestures over the picture: wheel, pan, box zoom, zoom while held, side buttons. Holds the state of
/// the current gesture.
class MandelbrotMouse {
 public:
  /// The next drag with the left button draws a zoom box.
  void arm_box_zoom() { box_armed_ = true; }
  void cancel() { box_armed_ = false; }

  enum class Gesture { kNone, kPan, kBox, kZoom };
  Gesture gesture() const { return gesture_; }

  /// Reads ImGui's mouse state and changes the view. `scale` is framebuffer pixels per ImGui unit. Returns
  /// whether it zooms in, as far as the view can.
  bool update(const Area& area, float scale, glm::ivec2 picture, Precision precision, ViewHistory& history);
  /// The cursor position in pixels of the picture; empty if it is not over the picture.
  const std::optional<glm::dvec2>& pixel() const { return pixel_; }
  /// Draws the rubber band of a box zoom.
  void draw(ImDrawList& list) const;

 private:
  void begin();

  Gesture gesture_ = Gesture::kNone;
  int button_ = 0;
  bool box_armed_ = false;
  bool moved_ = false;        ///< the current pan or zoom changed the view
  double last_wheel_ = -1e9;  ///< time of the last wheel event, in ImGui's seconds
  glm::vec2 start_{};         ///< corner of the box on the screen
  std::optional<glm::dvec2> pixel_;
};

}  // namespace loom::app
