#include "compute/map/map_kind.h"

#include "compute/core/named_choice.h"

namespace loom {

std::string_view name_of(MapKind map) {
  switch (map) {
    case MapKind::kBoundingBox:
      return "bounding-box";
    case MapKind::kLambda:
      return "lambda";
    case MapKind::kCompact:
      return "compact";
  }
  return "unknown";
}

MapKind parse_map(std::string_view name) {
  return parse_choice("map", name, kMapKinds);
}

}  // namespace loom
