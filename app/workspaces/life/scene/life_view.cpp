#include "app/workspaces/life/scene/life_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>

#include "app/text/text.h"
#include "compute/core/error.h"

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

render::Rect<double> parse_part(std::string_view text) {
  if (text.size() > kMaxPartText) throw InputError("the text is too long for a position");
  const auto parts = split_words(text, ", \t\r\n");
  if (parts.size() != 4)
    throw InputError(
        "not a region of the square; allowed: four numbers x, y, x2, y2, in points of the square");
  const glm::dvec2 corner{parse_number(parts[0], "x"), parse_number(parts[1], "y")};
  const glm::dvec2 end{parse_number(parts[2], "x2"), parse_number(parts[3], "y2")};
  const render::Rect<double> part{corner, end - corner};
  const glm::dvec2 size = part.size;
  if (!(size.x > 0 && size.y > 0) || !std::isfinite(size.x) || !std::isfinite(size.y))
    throw InputError("the region is empty; allowed: x2 above x, and y2 above y");
  return part;
}

std::string text_of(const render::Rect<double>& part) {
  return fmt::format("{}, {}, {}, {}", part.corner.x, part.corner.y, part.end().x, part.end().y);
}

}  // namespace loom::app
