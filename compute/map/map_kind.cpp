#include "compute/map/map_kind.h"

#include <fmt/format.h>

#include "compute/core/error.h"

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
  for (MapKind map : kMapKinds) {
    if (name_of(map) == name) return map;
  }
  throw InputError(fmt::format("unknown map '{}'; allowed: bounding-box, lambda, compact", name));
}

}  // namespace loom
