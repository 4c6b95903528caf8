#include "app/workspaces/life/scene/life_view.h"

#include <algorithm>
#include <glm/common.hpp>

namespace loom::app {
namespace {

// Of the longer side. Large, because the shorter side is rounded to whole pixels.
constexpr int kViewPixels = 1'000'000'000;
constexpr double kElongated = 4;  // as in render::Camera

}  // namespace

render::Camera::View view_of_part(const render::Rect<double>& part, glm::dvec2 field) {
  const bool elongated = std::max(field.x, field.y) > kElongated * std::min(field.x, field.y);
  const glm::dvec2 length = elongated ? part.size : glm::dvec2(std::max(part.size.x, part.size.y));
  render::Camera::View view{.scale = length / double{kViewPixels}};
  view.picture = glm::max(glm::ivec2(glm::round(part.size / view.scale)), 1);
  const glm::dvec2 middle = part.centre();
  view.anchor = glm::floor(middle);
  // The centre of a picture is pixels / 2, rounded down.
  view.pixel = glm::dvec2(view.picture / 2) + (view.anchor - middle) / view.scale;
  return view;
}

}  // namespace loom::app
