#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/settings/field_json.h"
#include "compute/backend/fastest_method.h"
#include "compute/core/field.h"
#include "compute/engine/fractal_engine.h"
#include "compute/map/dispatch.h"
#include "compute/map/map_method.h"
#include "compute/map/tiling.h"
#include "compute/solid/solid_config.h"

namespace loom::app::bench {

// What the configurations of maps in two and three dimensions have in common, under one name for both.

/// The tiles of a valid configuration.
template <typename Config>
auto tiled(const Config& config) {
  return make_tiled_fractal(config.fractal, config.level, config.tile_size);
}

/// The number of tiles per thread block of a valid method.
inline std::uint32_t tiles_of(const MapMethod& method, const TiledFractal& fractal) {
  return tiling_of(method, fractal).tiles();
}
inline std::uint32_t tiles_of(const MapMethod& method, const TiledSolid& fractal) {
  return solid_launch(method, fractal).tiling.tiles;
}

/// The number of threads of a generation of a valid method; in three dimensions, one for each tile of a
/// thread.
inline double threads_of(const MapMethod& method, const TiledFractal& fractal) {
  return static_cast<double>(launch_shape(method, fractal).threads());
}
inline double threads_of(const MapMethod& method, const TiledSolid& fractal) {
  const SolidLaunch launch = solid_launch(method, fractal);
  return static_cast<double>(launch.blocks) * launch.threads * launch.tiling.rounds;
}

inline MapMethod fastest_of(MapKind map, const TiledFractal&) {
  return fastest_method(map);
}
inline MapMethod fastest_of(MapKind map, const TiledSolid&) {
  return fastest_solid_method(map);
}

/// All values of a field as text. Some may be invalid in combination with the rest of the method.
inline std::vector<std::string> all_values(const MethodField& field, const MapMethod& method,
                                           const TiledFractal& fractal) {
  return loom::values_of(field, method, fractal);
}
inline std::vector<std::string> all_values(const MethodField& field, const MapMethod& method,
                                           const TiledSolid& fractal) {
  if (field.option != "tiles") return field.names();
  std::vector<std::string> texts;
  for (const std::uint32_t tiles : allowed_tiles(method, fractal)) texts.push_back(std::to_string(tiles));
  return texts;
}

/// The number of points on the axes x, y and z.
inline std::array<std::uint64_t, 3> size_of(const FractalConfig& config) {
  return {config.fractal.width(config.level), config.fractal.height(config.level), 1};
}
inline std::array<std::uint64_t, 3> size_of(const SolidConfig& config) {
  const Coord3 size = config.fractal.size(config.level);
  return {size.x, size.y, size.z};
}

/// Adds fractal, level, map, block, and the rest of the method to a JSON object; null where the map does not
/// have a parameter. The number of tiles is given even if it is automatic.
template <typename Config>
void add_config(nlohmann::ordered_json& json, const Config& config) {
  json["fractal"] = config.fractal.name();
  json["level"] = config.level;
  MapMethod used = config.method;
  used.tiles = tiles_of(used, tiled(config));
  for (const MethodField& field : method_fields()) {
    const auto text = field.text(used);
    const bool is_known = text && *text != kAutoWord;
    json[std::string(field.key)] = is_known ? json_value(field, *text) : nlohmann::ordered_json();
    if (field.key == "map") json["block"] = config.tile_size;
  }
}

}  // namespace loom::app::bench
