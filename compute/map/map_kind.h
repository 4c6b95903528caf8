#pragma once

#include <array>
#include <string_view>

namespace loom {

/// The thread maps. Each fixes its storage: bounding box and lambda work on expanded storage, compact on
/// blocked compact storage.
enum class MapKind { kBoundingBox, kLambda, kCompact };

inline constexpr std::array kMapKinds = {MapKind::kBoundingBox, MapKind::kLambda, MapKind::kCompact};

/// "bounding-box", "lambda", "compact". `parse_map` throws InputError that lists them.
std::string_view name_of(MapKind map);
MapKind parse_map(std::string_view name);

}  // namespace loom
