#include "app/workspaces/solid/scene/solid_camera.h"

#include <algorithm>
#include <cmath>

namespace loom::app {
namespace {

constexpr float kHalfTangent = 0.36f;  ///< of half the field of view, 40 degrees
constexpr float kNearest = 0.02f;
constexpr float kFarthest = 20;
constexpr float kFarthestTarget = 1.5f;
constexpr float kRadius = 0.9f;  ///< of a ball around the cube
constexpr glm::vec3 kRight{1, 0, 0};
constexpr glm::vec3 kDown{0, 1, 0};
constexpr glm::vec3 kForward{0, 0, 1};

/// The field of view is that of the shorter side, so that a narrow pane shows the whole cube too.
float shorter_side(glm::ivec2 picture) {
  return static_cast<float>(std::min(picture.x, picture.y));
}

SolidVector vector_of(const glm::vec3& v) {
  return {v.x, v.y, v.z};
}

}  // namespace

glm::quat SolidCamera::initial_orientation() {
  return glm::angleAxis(0.6f, kDown) * glm::angleAxis(-0.45f, kRight);
}

float SolidCamera::unit(glm::ivec2 picture) const {
  return 2 * kHalfTangent * distance / shorter_side(picture);
}

void SolidCamera::orbit(glm::vec2 drag) {
  constexpr float kTurn = 3.1415927f;
  orientation = glm::normalize(glm::angleAxis(drag.x * kTurn, kDown) * orientation);
  const glm::quat tilted = glm::normalize(orientation * glm::angleAxis(-drag.y * kTurn, kRight));
  // The picture does not turn over.
  if ((tilted * kDown).y > 0) orientation = tilted;
}

void SolidCamera::pan(glm::vec2 pixels, glm::ivec2 picture) {
  const glm::vec2 move = pixels * unit(picture);
  target -= orientation * (kRight * move.x + kDown * move.y);
  target = glm::clamp(target, -kFarthestTarget, kFarthestTarget);
}

void SolidCamera::zoom(float factor, glm::vec2 pixel, glm::ivec2 picture) {
  const glm::vec2 from_centre = (pixel - glm::vec2(picture) / 2.0f) * unit(picture);
  const float before = distance;
  distance = std::clamp(distance / factor, kNearest, kFarthest);
  const float moved = 1 - distance / before;
  target += orientation * (kRight * from_centre.x + kDown * from_centre.y) * moved;
  target = glm::clamp(target, -kFarthestTarget, kFarthestTarget);
}

SolidView SolidCamera::view(Coord3 size, glm::ivec2 picture) const {
  const glm::vec3 sides(size.x, size.y, size.z);
  const float side = std::max({sides.x, sides.y, sides.z});
  const glm::vec3 right = orientation * kRight;
  const glm::vec3 down = orientation * kDown;
  const glm::vec3 forward = orientation * kForward;
  const glm::vec3 middle = sides / 2.0f + target * side;
  // The ray of the first pixel goes through its centre.
  const glm::vec2 first = 0.5f - glm::vec2(picture) / 2.0f;
  SolidView view;
  view.width = picture.x;
  view.height = picture.y;
  view.high = size;
  if (perspective) {
    const float turn = 2 * kHalfTangent / shorter_side(picture);
    view.origin = vector_of(middle - forward * distance * side);
    view.direction = vector_of(forward + (right * first.x + down * first.y) * turn);
    view.turn_right = vector_of(right * turn);
    view.turn_down = vector_of(down * turn);
    view.nearest = std::max(0.0f, distance - kRadius) * side;
    view.farthest = (distance + kRadius) * side;
    return view;
  }
  const float pixel = unit(picture) * side;
  const float back = kFarthestTarget + 2 * kRadius;  // in front of every cell
  view.origin = vector_of(middle - forward * back * side + (right * first.x + down * first.y) * pixel);
  view.right = vector_of(right * pixel);
  view.down = vector_of(down * pixel);
  view.direction = vector_of(forward);
  view.nearest = (back - kRadius) * side;
  view.farthest = (back + kRadius) * side;
  return view;
}

std::optional<glm::vec2> SolidCamera::project(glm::vec3 point, Coord3 size, glm::ivec2 picture) const {
  const glm::vec3 sides(size.x, size.y, size.z);
  const float side = std::max({sides.x, sides.y, sides.z});
  // As the camera sees it, in sides of the cube.
  const glm::vec3 seen = glm::conjugate(orientation) * ((point - sides / 2.0f) / side - target);
  const glm::vec2 centre = glm::vec2(picture) / 2.0f;
  const glm::vec2 across(seen.x, seen.y);
  if (!perspective) return centre + across / unit(picture);
  const float depth = seen.z + distance;
  if (depth <= kNearest / 10) return std::nullopt;
  return centre + across * (distance / depth) / unit(picture);
}

}  // namespace loom::app
