#pragma once

#include "compute/cuda/launch_slices.h"
#include "compute/cuda/stream.h"
#include "compute/engine/thread_count.h"
#include "compute/geometry/tiled_fractal.h"
#include "compute/map/map_method.h"
#include "compute/map/map_tables.h"

namespace loom::cuda {

/// Launches a method as its workloads do and counts its threads; waits for the stream. Reads no cells. Tables
/// must be device memory. Throws CapacityError, DeviceFault.
ThreadCount count_threads(const MapMethod& method, const TiledFractal& fractal, const MapTables& tables,
                          const LaunchSlices& slices, const Stream& stream);

}  // namespace loom::cuda
