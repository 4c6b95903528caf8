#pragma once

#include <imgui.h>

#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "app/gui/layout.h"
#include "app/life/scene/block_space.h"
#include "compute/engine/fractal_engine.h"
#include "render/camera.h"

namespace loom::app {

/// The mouse over the picture: wheel, pan, box zoom, painting. Holds the gesture under way.
class PictureMouse {
 public:
  /// The next drag with the left button draws a zoom box.
  void arm_box_zoom() { box_armed_ = true; }
  void cancel() { box_armed_ = false; }
  bool box_armed() const { return box_armed_; }

  enum class Gesture { kNone, kPan, kBox, kPaint };
  Gesture gesture() const { return gesture_; }

  /// The state of a cell, as far as it is known.
  using IsAlive = std::function<bool(Coord64)>;
  /// Reads ImGui's mouse. Moves the camera at once; painted cells are added to `painted`.
  void update(const Area& picture, float scale, render::Camera& camera, const BlockSpace& space,
              const IsAlive& is_alive, bool edit_cells, std::vector<CellEdit>& painted);

  /// The place under the cursor, where it is over the picture and no panel.
  const std::optional<Place>& hovered() const { return hovered_; }
  /// Draws the rubber band of a box zoom under way.
  void draw(ImDrawList& list) const;

 private:
  void begin(const BlockSpace& space, const IsAlive& is_alive, bool edit_cells);
  void paint(const BlockSpace& space, std::vector<CellEdit>& painted);

  Gesture gesture_ = Gesture::kNone;
  int button_ = 0;
  bool box_armed_ = false;
  bool paint_alive_ = false;
  ImVec2 start_{};                           ///< of the box, on the screen
  std::optional<Coord<std::int64_t>> last_;  ///< the cell that the brush came from
  Coord<std::int64_t> cursor_cell_{};
  std::optional<Place> hovered_;
};

/// "none", "pan", "box", "paint".
std::string_view name_of(PictureMouse::Gesture gesture);

}  // namespace loom::app
