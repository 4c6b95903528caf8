#pragma once

#include <cstdint>
#include <string>

#include "compute/cuda/launch_slices.h"
#include "compute/cuda/stream.h"
#include "compute/engine/occupancy.h"
#include "compute/geometry/tiled_fractal.h"
#include "compute/map/map_method.h"
#include "compute/map/map_tables.h"
#include "compute/workload/game_of_life.h"

namespace loom::cuda {

// Each function enqueues one generation. `now` and `next` are one generation each in the map's storage; they
// and the tables must be device memory. They allocate no memory.

/// For the maps on expanded storage: bounding box and lambda.
void step_life_expanded(const MapMethod& method, const TiledFractal& fractal, const MapTables& tables,
                        const std::uint8_t* now, std::uint8_t* next, LifeRule rule,
                        const LaunchSlices& slices, const Stream& stream);

/// For the compact map. `halo`: tiles and their halos are staged in shared memory first.
void step_life_compact(const MapMethod& method, bool halo, const TiledFractal& fractal,
                       const MapTables& tables, const std::uint8_t* now, std::uint8_t* next, LifeRule rule,
                       const LaunchSlices& slices, const Stream& stream);

/// For any map, with a rule that is larger.
void step_larger_life(const MapMethod& method, const TiledFractal& fractal, const MapTables& tables,
                      const std::uint8_t* now, std::uint8_t* next, const LifeRule& rule,
                      const LaunchSlices& slices, const Stream& stream);

/// For any map and rule.
inline void step_life(const MapMethod& method, bool halo, const TiledFractal& fractal,
                      const MapTables& tables, const std::uint8_t* now, std::uint8_t* next, LifeRule rule,
                      const LaunchSlices& slices, const Stream& stream) {
  if (rule.is_larger()) {
    step_larger_life(method, fractal, tables, now, next, rule, slices, stream);
  } else if (method.map == MapKind::kCompact) {
    step_life_compact(method, halo, fractal, tables, now, next, rule, slices, stream);
  } else {
    step_life_expanded(method, fractal, tables, now, next, rule, slices, stream);
  }
}

/// The kernel of a step and its resources.
struct KernelInfo {
  std::string name;
  Occupancy occupancy;
};
KernelInfo life_expanded_info(const MapMethod& method, const TiledFractal& fractal, const MapTables& tables,
                              const LifeRule& rule);
KernelInfo life_compact_info(const MapMethod& method, bool halo, const TiledFractal& fractal,
                             const MapTables& tables, const LifeRule& rule);
KernelInfo larger_life_info(const MapMethod& method, const TiledFractal& fractal, const MapTables& tables,
                            const LifeRule& rule);
inline KernelInfo life_info(const MapMethod& method, const TiledFractal& fractal, const MapTables& tables,
                            const LifeRule& rule) {
  if (rule.is_larger()) return larger_life_info(method, fractal, tables, rule);
  return method.map == MapKind::kCompact ? life_compact_info(method, method.halo, fractal, tables, rule)
                                         : life_expanded_info(method, fractal, tables, rule);
}

}  // namespace loom::cuda
