#pragma once

#include <array>
#include <string_view>

#include "compute/geometry/cell_storage.h"

namespace loom {

/// The thread maps.
enum class MapKind { kBoundingBox, kLambda, kCompact };

inline constexpr std::array kMapKinds = {MapKind::kBoundingBox, MapKind::kLambda, MapKind::kCompact};

/// "bounding-box", "lambda", "compact". `parse_map` throws InputError with the list of names.
std::string_view name_of(MapKind map);
MapKind parse_map(std::string_view name);

/// The layout of a map's cells: tiled compact for compact, expanded for the others.
constexpr StorageLayout layout_of(MapKind map) {
  return map == MapKind::kCompact ? StorageLayout::kTiledCompact : StorageLayout::kExpanded;
}

}  // namespace loom
