#include "app/workspaces/life/document/part_text.h"

#include <fmt/format.h>

#include <cmath>

#include "app/text/text.h"
#include "compute/core/error.h"

namespace loom::app {

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
