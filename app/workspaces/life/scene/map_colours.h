#pragma once

#include <glm/vec4.hpp>

#include "compute/map/map_method.h"

namespace loom::app {

/// The accent of a map in the toolbar, panes and bars. Distinct for colour-blind users; each also has a
/// label.
inline glm::vec4 colour_of(MapKind map) {
  switch (map) {
    case MapKind::kBoundingBox:
      return {0.87f, 0.62f, 0.25f, 1};
    case MapKind::kLambda:
      return {0.36f, 0.72f, 0.78f, 1};
    case MapKind::kCompact:
      return {0.80f, 0.56f, 0.80f, 1};
  }
  return {1, 1, 1, 1};
}

}  // namespace loom::app
