#pragma once

#include <nlohmann/json.hpp>

#include "compute/engine/fractal_engine.h"

namespace loom::app {

/// Adds what a configuration is to a JSON object: fractal, level, map, block, halo (null but for the compact
/// map), arithmetic (null for the bounding box, which has none), intra_block and tiles (their number, also
/// where it is automatic).
void add_config(nlohmann::ordered_json& json, const FractalConfig& config);

}  // namespace loom::app
