#pragma once

#include <array>
#include <optional>
#include <string>

#include "compute/backend/map_backend.h"
#include "compute/engine/fractal_config.h"
#include "compute/engine/progress_monitor.h"

namespace loom::app {

/// Times of single writes that are comparable with MapResult::single_write_milliseconds on the same backend.
struct CustomMapComparison {
  std::array<std::optional<double>, 3> ms;  ///< by MapKind; nothing where a map did not end in time
  std::string conditions;                   ///< what was measured, as one sentence
};

/// Measures single writes through the three maps with the fractal, level and tile size of `config`: as maps
/// in the map language, which are compiled, launched and measured as a custom map is, in the process that
/// runs them (`program`). Throws as run_map().
CustomMapComparison measure_built_in_maps(const FractalConfig& config,
                                          const MapBackend& backend, ProgressMonitor& watch);

}  // namespace loom::app
