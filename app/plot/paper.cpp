#include "app/plot/paper.h"

namespace loom::app::plot {

glm::u8vec3 paper_colour(const diagram::Paint& paint) {
  if (const auto* const data = std::get_if<glm::u8vec3>(&paint)) return *data;
  if (const auto* const pair = std::get_if<diagram::ColourPair>(&paint)) return pair->on_white;
  if (const auto* const tint = std::get_if<diagram::Tint>(&paint)) {
    return glm::u8vec3(255 - (255 - glm::ivec3(tint->of)) * 2 / 5);
  }
  switch (std::get<diagram::ColourRole>(paint)) {
    case diagram::ColourRole::kText:
      return {33, 33, 33};
    case diagram::ColourRole::kMuted:
      return {102, 102, 102};
    case diagram::ColourRole::kAccent:
      return {13, 92, 107};
    case diagram::ColourRole::kWarning:
      return {204, 51, 0};
    case diagram::ColourRole::kLine:
      return {115, 115, 115};
    case diagram::ColourRole::kGrid:
      return {214, 214, 214};
    case diagram::ColourRole::kMinorGrid:
      return {237, 237, 237};
    case diagram::ColourRole::kRaised:
      return {240, 240, 242};
    case diagram::ColourRole::kMark:
      return {0, 0, 0};
    case diagram::ColourRole::kSelection:
      return {95, 40, 190};
  }
  return {};
}

}  // namespace loom::app::plot
