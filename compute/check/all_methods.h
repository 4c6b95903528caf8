#pragma once

#include <vector>

#include "compute/engine/fractal_engine.h"

namespace loom {

/// Sets of methods that a fractal can be run with.
enum class MethodSet {
  kMaps,      ///< every map and tile size, the compact map with and without halo, default arithmetic and
              ///< intra-block mapping; compact and bounding box also bit-packed
  kAll,       ///< kMaps with every exact map arithmetic and every intra-block mapping
  kAllTiles,  ///< kAll with automatic tiles and, for loop arithmetic, also one tile and the largest number of
              ///< tiles
};

/// The configurations of a set for a fractal at a level. All give the same states.
std::vector<FractalConfig> all_methods(const NbbFractal& fractal, int level, MethodSet set);

}  // namespace loom
