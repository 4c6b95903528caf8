#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "compute/map/map_method.h"

namespace loom::app {

/// A map to begin with.
struct MapTemplate {
  std::string_view name;  ///< sentence case, for a menu
  std::string_view code;
};
/// Bounding box, one thread per row, λ by loop, λ by table, and a map that is to be repaired.
std::span<const MapTemplate> map_templates();
/// Whether this is, to the byte, a template, or the starter or solution of a bundled exercise.
bool is_bundled_code(std::string_view code);

/// A built-in map in the map language: the same thread blocks and threads as the program's kernel, each with
/// a tile of s_x^j × s_y^j points, j = `tile_level`. λ by loop for λ and compact, whose storage differs
/// alone.
std::string built_in_map_code(MapKind map, int tile_level);

}  // namespace loom::app
