#pragma once

#include <vector>

#include "compute/engine/fractal_engine.h"

namespace loom {

/// Which ways of running a fractal are meant.
enum class MethodSet {
  kMaps,  ///< every map and block size, the compact map with and without halo, arithmetic and intra-block as
          ///< by default; compact and bounding box in bits
  kAll,   ///< all of that with every exact map arithmetic and intra-block mapping
  kAllTiles,  ///< all of that, tiles automatic, and with loop arithmetic also one tile and as many as
              ///< possible
};

/// The configurations of a fractal at a level that a set holds. All give the same states.
std::vector<FractalConfig> all_methods(const NbbFractal& fractal, int level, MethodSet set);

}  // namespace loom
