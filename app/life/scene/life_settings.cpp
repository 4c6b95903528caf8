#include "app/life/scene/life_settings.h"

#include "compute/backend/fastest_method.h"
#include "compute/geometry/nbb_catalog.h"

namespace loom::app {

LifeSettings default_life_settings() {
  return {.config = {.fractal = find_fractal("sierpinski-gasket"),
                     .level = 9,
                     .block = 16,
                     .method = fastest_method(MapKind::kLambda)}};
}

const char* name_of(PaneShows shows) {
  static constexpr std::array kNames = {"cells", "threads", "memory", "steps", "unfold", "timeline", "lens"};
  return kNames[static_cast<std::size_t>(shows)];
}

const char* label_of(MapKind map) {
  switch (map) {
    case MapKind::kBoundingBox:
      return "bounding box";
    case MapKind::kLambda:
      return "λ";
    case MapKind::kCompact:
      return "compact";
  }
  return "";
}

}  // namespace loom::app
