#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "compute/geometry/nbb_fractal.h"
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

/// A built-in map as text to read, change and step through: one thread per point or cell, the same points as
/// the program's own map.
enum class MapText : std::uint8_t {
  kBoundingBox,
  kLambdaLoop,   ///< uniform_lambda_map()
  kLambdaTable,  ///< the same, several levels at once by a table of this fractal
  kCompact,      ///< compact's λ, and ν back: a thread returns the cell whose place is its own
};
struct MapTextChoice {
  MapText value;
  std::string_view name;  ///< for a menu
};
std::span<const MapTextChoice> map_texts();
/// Of a uniform fractal.
std::string map_text(MapText which, const NbbFractal& fractal);

}  // namespace loom::app
