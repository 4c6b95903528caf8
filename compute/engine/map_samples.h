#pragma once

#include <optional>
#include <vector>

#include "compute/core/coord.h"

namespace loom {

/// Tiles at which lambda and nu are evaluated.
struct MapSamples {
  std::vector<Coord64> omegas;     ///< compact tile coordinates, for lambda
  std::vector<Coord32> positions;  ///< position of one cell within each of these tiles
  std::vector<Coord64> places;     ///< expanded tile coordinates, of tiles with and without cells, for nu
};

/// The results of a configuration's method for these samples.
struct MappedSamples {
  std::vector<Coord64> cells;                  ///< expanded coordinates of the cells at `positions`
  std::vector<std::optional<Coord64>> omegas;  ///< nu of `places`; empty unless the map is compact
};

}  // namespace loom
