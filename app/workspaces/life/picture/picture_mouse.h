#pragma once

#include <imgui.h>

#include <cstdint>
#include <functional>
#include <glm/vec2.hpp>
#include <optional>
#include <string_view>
#include <vector>

#include "app/explain/space_layout.h"
#include "app/gui/layout.h"
#include "app/widgets/picture.h"
#include "app/workspaces/life/scene/thread_explanation.h"
#include "compute/engine/fractal_engine.h"
#include "compute/geometry/nbb_fractal.h"
#include "render/camera.h"

namespace loom::app {

/// Mouse input over the picture: wheel, pan, box zoom, zoom while held, painting. Stores the current gesture.
class PictureMouse {
 public:
  /// The next drag with the left button draws a zoom box.
  void arm_box_zoom() { box_armed_ = true; }
  void cancel() { box_armed_ = false; }

  enum class Gesture { kNone, kPan, kBox, kPaint, kSelect, kZoom };
  Gesture gesture() const { return gesture_; }

  /// Settings of painting with the left button.
  struct Brush {
    const TileGrid& space;
    std::function<std::uint8_t(Coord64)> state_of;  ///< of a cell; 0 if it is not known
    std::uint8_t state;                             ///< to paint; from a cell in this state on, 0
    std::vector<CellEdit>& painted;                 ///< receives the painted cells
  };
  /// Reads ImGui's mouse. Moves the camera, paints if there is a brush, and selects on Ctrl and drag.
  void update(const Area& picture, float scale, render::Camera& camera, const Brush* brush = nullptr);

  /// The units that a drag selects: from the first one to the one under the cursor. Nothing before the mouse
  /// has moved.
  struct Selecting {
    Coord<std::int64_t> from;
    Coord<std::int64_t> to;
  };
  const std::optional<Selecting>& selecting() const { return selecting_; }

  /// The unit under the cursor if that is over the picture and over no panel; may lie outside the field.
  const std::optional<Coord<std::int64_t>>& hovered() const { return hovered_; }
  /// Whether a turn of the wheel still moves the view.
  bool is_zooming() const { return wheel_.active(); }
  /// Draws the rubber band of a box zoom under way.
  void draw(ImDrawList& list) const;

 private:
  void begin(const Brush* brush);
  void paint(const Brush& brush);

  WheelZoom wheel_;
  Gesture gesture_ = Gesture::kNone;
  int button_ = 0;
  bool box_armed_ = false;
  std::uint8_t painted_state_ = 0;
  glm::vec2 start_{};                        ///< of the box, in screen coordinates
  Coord<std::int64_t> first_{};              ///< the first cell of a selection
  std::optional<Selecting> selecting_;       ///< also set in the frame of the button release
  std::optional<Coord<std::int64_t>> last_;  ///< the previous cell of the brush
  Coord<std::int64_t> cursor_cell_{};
  std::optional<Coord<std::int64_t>> hovered_;
};

/// "none", "pan", "box", "paint", "select", "zoom".
std::string_view name_of(PictureMouse::Gesture gesture);

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

/// The part of a field of width x height units that the camera shows; nothing if it shows all of it.
std::optional<explain::UnitRect> visible_part(const render::Camera& camera, std::uint64_t width,
                                              std::uint64_t height);

/// True if a replica of level `of`, or a part of one, lies in this part of the field: level 0 is a cell,
/// `level` the square. 0 <= of <= level.
bool has_replicas(const NbbFractal& fractal, int level, int of, const render::Rect<double>& part);

}  // namespace loom::app
