#include "app/workspaces/life/scene/life_settings.h"

#include "app/settings/field_changes.h"
#include "app/workspaces/life/scene/life_fields.h"
#include "compute/backend/fastest_method.h"
#include "compute/geometry/nbb_catalog.h"

namespace loom::app {

LifeSettings default_life_settings() {
  return {.config = {.fractal = find_fractal("sierpinski-gasket"),
                     .level = 9,
                     .tile_size = 16,
                     .method = fastest_method(MapKind::kLambda)}};
}

std::string_view changed_setting(const LifeSettings& before, const LifeSettings& after) {
  const auto names = changed_undo_names(life_fields(), before, after);
  if (names.empty()) return {};
  // A new fractal or level also changes tile size and method.
  const bool is_first = names.front() == "fractal" || names.front() == "level";
  return names.size() == 1 || is_first ? names.front() : "several settings";
}

const char* name_of(PaneContent shows) {
  static constexpr std::array kNames = {"cells",    "threads", "memory", "steps",  "unfold",
                                        "timeline", "lens",    "race",   "metrics"};
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
