#pragma once

#include <cstdint>
#include <vector>

#include "app/bench/axes.h"
#include "compute/solid/solid_config.h"

namespace loom::app::bench {

/// One configuration of a map on a three-dimensional fractal to measure.
struct SolidCase {
  SolidConfig config;
  Workload workload = Workload::kLife;
  BackendSelection backend;
  int repeat = 0;           ///< run of the sweep, from 0
  std::uint32_t shard = 0;  ///< its shard; 0 for none
};

/// The valid combinations of the axes for their three-dimensional fractals, in the order of those for the
/// others. Levels and tile sizes that a fractal does not allow are left out, and so are methods that exist in
/// two dimensions only, if another value of their axis is valid; otherwise one stays and is skipped with the
/// reason. Throws InputError if several devices or processes share the cells, and if nothing is valid and the
/// axes have no other fractals.
std::vector<SolidCase> expand_solids(const MapAxes& axes);

}  // namespace loom::app::bench
