#include "app/workspaces/life/document/part_text.h"

#include <fmt/format.h>

#include <cmath>

#include "app/text/parse_numbers.h"
#include "compute/core/error.h"

namespace loom::app {

FieldPart parse_part(std::string_view text) {
  if (text.size() > kMaxPartText) throw InputError("the text is too long for a position");
  const auto parts = split_words(text, ", \t\r\n");
  if (parts.size() != 4)
    throw InputError(
        "not a region of the square; allowed: four numbers x, y, x2, y2, in points of the square");
  const double x = parse_number(parts[0], "x");
  const double y = parse_number(parts[1], "y");
  const FieldPart part{x, y, parse_number(parts[2], "x2") - x, parse_number(parts[3], "y2") - y};
  if (!(part.width > 0 && part.height > 0) || !std::isfinite(part.width) || !std::isfinite(part.height))
    throw InputError("the region is empty; allowed: x2 above x, and y2 above y");
  return part;
}

std::string text_of(const FieldPart& part) {
  return fmt::format("{}, {}, {}, {}", part.x, part.y, part.x + part.width, part.y + part.height);
}

}  // namespace loom::app
