#pragma once

#include <imgui.h>

#include <cstdint>
#include <glm/vec2.hpp>
#include <optional>

#include "compute/core/coord.h"

namespace loom::app {

/// The unit that is `steps` steps of `step` from another one, within 0 .. end - 1 on each axis.
Coord64 moved_within(Coord64 from, glm::ivec2 steps, Coord64 step, Coord64 end);

/// A cursor in a picture for the keyboard, at a unit of the picture: a cell or a pixel. It is where the mouse
/// is until keys move it, and again when the mouse moves.
class PictureCursor {
 public:
  /// Begins a frame. `under_mouse`: the unit under the mouse, if it is over the picture. `start`: where the
  /// cursor is if the mouse was never there.
  void begin(const std::optional<Coord64>& under_mouse, Coord64 start);
  /// Moves it by keys.
  void move_to(Coord64 unit);
  /// The cursor is off.
  void hide() { by_keys_ = false; }

  const std::optional<Coord64>& unit() const { return unit_; }
  /// The unit, if the keys and not the mouse determine it.
  std::optional<Coord64> shown() const { return by_keys_ ? unit_ : std::nullopt; }

 private:
  std::optional<Coord64> unit_;
  bool by_keys_ = false;
};

/// Draws the cursor around a unit whose middle and side are given in ImGui units. `light`: the background of
/// the picture is light.
void draw_picture_cursor(ImDrawList& list, glm::vec2 middle, float side, bool light);

}  // namespace loom::app
