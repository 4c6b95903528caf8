#pragma once

#include <optional>
#include <vector>

#include "compute/core/coord.h"

namespace loom {

/// Blocks at which lambda and nu are asked for.
struct MapSamples {
  std::vector<Coord64> omegas;     ///< compact block coordinates, for lambda
  std::vector<Coord32> positions;  ///< of one cell within each of these blocks
  std::vector<Coord64> places;     ///< expanded block coordinates, blocks with cells and without, for nu
};

/// What a configuration's method makes of them, one by one.
struct MappedSamples {
  std::vector<Coord64> cells;                  ///< expanded coordinates of the cells at `positions`
  std::vector<std::optional<Coord64>> omegas;  ///< nu of `places`; empty but for the compact map
};

}  // namespace loom
