#pragma once

#include <glm/vec4.hpp>

#include "compute/map/map_method.h"

namespace loom::app {

/// The accent of a map in the toolbar, panes, bars and documentation, in both themes. Distinct for
/// colour-blind users, and visible on dark and on light; each also has a label.
constexpr glm::vec4 colour_of(MapKind map) {
  switch (map) {
    case MapKind::kBoundingBox:
      return {0.851f, 0.412f, 0.039f, 1};
    case MapKind::kLambda:
      return {0.078f, 0.529f, 0.941f, 1};
    case MapKind::kCompact:
      return {0.749f, 0.424f, 0.592f, 1};
  }
  return {1, 1, 1, 1};
}

}  // namespace loom::app
