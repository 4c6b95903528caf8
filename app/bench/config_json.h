#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "compute/engine/fractal_engine.h"

namespace loom::app::bench {

/// A configuration by the names that JSON output and results files have for it. A file may come from another
/// version of the program or hold fractals that this one does not know.
struct ConfigNames {
  std::string fractal;
  int level = 0;
  std::string map;
  std::uint32_t block = 1;
  std::optional<bool> halo = {};               ///< compact only
  std::optional<std::string> arithmetic = {};  ///< all but the bounding box, which has none
  std::string intra_block;
  std::uint32_t tiles = 1;  ///< blocks that share a thread block of the GPU; their number where automatic too
  friend bool operator==(const ConfigNames&, const ConfigNames&) = default;
};

/// The names of a valid configuration.
ConfigNames names_of(const FractalConfig& config);

/// Adds them to a JSON object: fractal, level, map, block, halo, arithmetic (both null where the map has
/// none), intra_block and tiles.
void add_config(nlohmann::ordered_json& json, const ConfigNames& names);

}  // namespace loom::app::bench
