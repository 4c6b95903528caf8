#pragma once

#include <cstdint>
#include <vector>

#include "app/bench/axes.h"
#include "compute/engine/fractal_engine.h"

namespace loom::app::bench {

/// One configuration of a map on a fractal to measure.
struct MapCase {
  FractalConfig config;
  Workload workload = Workload::kLife;
  BackendSelection backend;
  int repeat = 0;                                      ///< which run of the sweep, from 0
  ReductionMethod reduction = ReductionMethod::kWarp;  ///< of reductions
  std::uint32_t shard = 0;                             ///< that it was dealt to; 0 for none
  int devices = 1;                                     ///< that share its cells
  std::vector<int> device_list = {};  ///< their CUDA ordinals; empty where they are processes
};

/// The valid combinations of the axes, each once: by fractal and level, so that the maps which are to be
/// compared run close together in time. Where an axis has a valid value for a map and block size, its
/// invalid ones are left out; where it has none, one invalid combination stays, which is then skipped with
/// the reason. Throws InputError where an axis is empty, and for a level or a block size that no combination
/// allows, for a number of devices that none can be shared out among, and where every combination is invalid,
/// with what is allowed.
std::vector<MapCase> expand(const MapAxes& axes);

/// Throws InputError where a configuration's cells cannot be shared by so many devices of a backend, or by so
/// many processes.
void check_may_share(const FractalConfig& config, BackendKind backend, int devices, bool processes);

/// How many cases `expand` would give, without building them. Throws InputError likewise, but for
/// combinations that are invalid.
std::uint64_t count_cases(const MapAxes& axes);

}  // namespace loom::app::bench
