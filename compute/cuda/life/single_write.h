#pragma once

#include <cstdint>

#include "compute/cuda/launch_slices.h"
#include "compute/cuda/stream.h"
#include "compute/geometry/tiled_fractal.h"
#include "compute/map/map_method.h"
#include "compute/map/map_tables.h"

namespace loom::cuda {

/// Enqueues: sets every cell to single_write_value() of its coordinate and `generation`. Cells and tables
/// must be device memory. Allocates no memory.
void single_write(const MapMethod& method, const TiledFractal& fractal, const MapTables& tables,
                  std::uint8_t* cells, std::uint32_t generation, const LaunchSlices& slices,
                  const Stream& stream);

}  // namespace loom::cuda
