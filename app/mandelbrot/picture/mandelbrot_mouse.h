#pragma once

#include <imgui.h>

#include <optional>

#include "app/gui/layout.h"
#include "app/mandelbrot/scene/view_history.h"

namespace loom::app {

/// The mouse over the explorer's picture: wheel, pan, box zoom, zoom while held, the side buttons. Holds the
/// gesture under way.
class MandelbrotMouse {
 public:
  /// The next drag with the left button draws a zoom box.
  void arm_box_zoom() { box_armed_ = true; }
  void cancel() { box_armed_ = false; }

  enum class Gesture { kNone, kPan, kBox, kZoom };
  Gesture gesture() const { return gesture_; }

  /// Reads ImGui's mouse and changes the view at once. `scale`: framebuffer pixels of a unit of ImGui.
  void update(const Area& area, float scale, render::Extent picture, Precision precision,
              ViewHistory& history);
  /// The cursor's place in the picture, in its pixels, where it is over it and no panel.
  const std::optional<ComplexPoint>& pixel() const { return pixel_; }
  /// Draws the rubber band of a box zoom under way.
  void draw(ImDrawList& list) const;

 private:
  void begin();

  Gesture gesture_ = Gesture::kNone;
  int button_ = 0;
  bool box_armed_ = false;
  bool moved_ = false;        ///< the pan or zoom under way has changed the view
  double last_wheel_ = -1e9;  ///< when the wheel was turned, in ImGui's seconds
  ImVec2 start_{};            ///< of the box, on the screen
  std::optional<ComplexPoint> pixel_;
};

}  // namespace loom::app
