#include "app/workspaces/life/scene/life_view.h"

#include <algorithm>
#include <cmath>

namespace loom::app {
namespace {

// Of the longer side. Large, because the shorter side is rounded to whole pixels.
constexpr int kSightPixels = 1'000'000'000;
constexpr double kElongated = 4;  // as in render::Camera

/// An axis that shows `length` cells from `begin` on in `pixels` pixels.
render::Camera::AxisView sight_of(double begin, double length, int pixels, double scale) {
  const double middle = begin + length / 2;
  const double anchor = std::floor(middle);
  // The centre of a picture is pixels / 2, rounded down.
  return {anchor, pixels / 2 + (anchor - middle) / scale, scale, pixels};
}

}  // namespace

LifeView view_of_part(const FieldPart& part, double field_width, double field_height) {
  const bool elongated =
      std::max(field_width, field_height) > kElongated * std::min(field_width, field_height);
  const double longest = std::max(part.width, part.height);
  const auto axis = [&](double begin, double length) {
    const double scale = (elongated ? length : longest) / kSightPixels;
    const int pixels = std::max(1, static_cast<int>(std::lround(length / scale)));
    return sight_of(begin, length, pixels, scale);
  };
  return {axis(part.x, part.width), axis(part.y, part.height)};
}

FieldPart part_of(const render::Camera& camera) {
  const render::Extent picture = camera.picture();
  const double x = camera.field_x(0);
  const double y = camera.field_y(0);
  return {x, y, camera.field_x(picture.width) - x, camera.field_y(picture.height) - y};
}

}  // namespace loom::app
