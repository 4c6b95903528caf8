#pragma once

#include <imgui.h>

#include <cstdint>
#include <glm/vec2.hpp>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/gui/layout.h"
#include "app/tasks/task.h"
#include "app/widgets/picture.h"
#include "app/workspaces/mandelbrot/scene/complex_view.h"
#include "compute/device/device.h"
#include "compute/engine/mandelbrot_engine.h"
#include "render/renderers.h"

namespace loom::app {

/// Mouse gestures over the picture: wheel, pan, turn, box zoom, zoom while held, side buttons. Holds the
/// state of the current gesture.
class MandelbrotMouse {
 public:
  /// The next drag with the left button draws a zoom box.
  void arm_box_zoom() { box_armed_ = true; }
  void cancel() { box_armed_ = false; }

  enum class Gesture { kNone, kPan, kTurn, kBox, kZoom, kInset };
  Gesture gesture() const { return gesture_; }
  /// Whether a turn of the wheel still moves the view.
  bool is_zooming() const { return wheel_.active(); }

  /// Reads ImGui's mouse state and changes the view. `scale` is framebuffer pixels per ImGui unit; `inset` is
  /// a part of the picture that shows something else. Returns whether it zooms in, as far as the view can.
  bool update(const Area& area, float scale, glm::ivec2 picture, const render::Rect<int>& inset,
              Precision precision, ViewHistory& history);
  /// The cursor position in pixels of the picture; empty if it is not over the picture or over the inset.
  const std::optional<glm::dvec2>& pixel() const { return pixel_; }
  /// The button of a click on the picture in this frame: pressed and let go at one place.
  const std::optional<int>& clicked() const { return clicked_; }
  /// Whether the inset was clicked in this frame.
  bool inset_clicked() const { return inset_clicked_; }
  /// The position in pixels of the picture of a drag that began in the inset.
  const std::optional<glm::dvec2>& inset_drag() const { return inset_drag_; }
  /// Draws the rubber band of a box zoom.
  void draw(ImDrawList& list) const;

 private:
  void begin(bool over_inset);
  bool is_at_start() const;

  Gesture gesture_ = Gesture::kNone;
  int button_ = 0;
  bool box_armed_ = false;
  bool moved_ = false;  ///< the current pan, turn or zoom changed the view
  WheelZoom wheel_;
  ComplexView wheel_from_;              ///< the view at the beginning of the wheel's zoom
  std::size_t wheel_views_behind_ = 0;  ///< ViewHistory::views_behind() after its last frame
  double last_wheel_ = -1e9;            ///< time of that frame, in ImGui's seconds
  glm::vec2 start_{};                   ///< corner of the box on the screen
  std::optional<glm::dvec2> pixel_;
  std::optional<int> clicked_;
  bool inset_clicked_ = false;
  std::optional<glm::dvec2> inset_drag_;
};

/// A whole set as a small picture, the Julia set of a point or its parameter plane, computed by the current
/// backend on its own engine and thread. It lags behind the point by one or two frames.
class JuliaInset {
 public:
  static constexpr std::uint32_t kLimit = 128;

  JuliaInset();
  /// Its area in the bottom-left corner of a picture of this size; empty if there is no room.
  static render::Rect<int> place_in(glm::ivec2 picture, float font_pixels);
  /// Starts a computation if set or size changed, and takes a finished one; waits for it if `waits`. If it
  /// fails, the previous picture stays. Throws DeviceFault.
  void update(const EscapeTimeSet& set, glm::ivec2 size, const BackendSelection& backend, bool waits);
  /// Its view in a picture of this size.
  static ComplexView view_of(const EscapeTimeSet& set, glm::ivec2 size) { return default_view(size, set); }
  /// Takes the reason for a failure, once.
  std::string take_problem() { return std::exchange(problem_, {}); }
  void draw(glm::ivec2 framebuffer, const render::Rect<int>& target, const render::Palette& palette);

 private:
  bool take(TaskTimeout timeout);
  std::optional<EscapeTimeSet> set_;
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
