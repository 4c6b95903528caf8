#pragma once

#include <glm/gtc/quaternion.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <optional>

#include "compute/solid/solid_view.h"

namespace loom::app {

/// A camera that looks at a point of the cube from a distance. Lengths are in sides of the cube, the longest
/// one; x runs to the right, y down and z away from the viewer.
struct SolidCamera {
  glm::quat orientation = initial_orientation();
  glm::vec3 target{0};      ///< relative to the centre of the cube
  float distance = 2.8f;    ///< from the target
  bool perspective = true;  ///< false: orthographic

  /// Turns the camera around the target by a drag over a fraction of the picture's height. It does not go
  /// over the top or the bottom.
  void orbit(glm::vec2 drag);
  /// Moves the picture by a number of pixels.
  void pan(glm::vec2 pixels, glm::ivec2 picture);
  /// Magnifies; the point of the target plane under this pixel stays.
  void zoom(float factor, glm::vec2 pixel, glm::ivec2 picture);
  /// The rays of a picture of a fractal of this size.
  SolidView view(Coord3 size, glm::ivec2 picture) const;

  /// Where a point in the space of the cells is in the picture, in pixels; nothing behind the camera.
  std::optional<glm::vec2> project(glm::vec3 point, Coord3 size, glm::ivec2 picture) const;

  friend bool operator==(const SolidCamera&, const SolidCamera&) = default;

 private:
  static glm::quat initial_orientation();
  /// The length of a pixel in the target plane.
  float unit(glm::ivec2 picture) const;
};

}  // namespace loom::app
