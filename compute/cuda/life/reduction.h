#pragma once

#include <cstdint>

#include "compute/cuda/device_buffer.h"
#include "compute/cuda/launch_slices.h"
#include "compute/cuda/stream.h"
#include "compute/geometry/tiled_fractal.h"
#include "compute/map/map_method.h"
#include "compute/map/map_tables.h"
#include "compute/workload/workload.h"

namespace loom::cuda {

/// Computes the sum of reduction_value() over all cells, with memory of its own.
class Reducer {
 public:
  Reducer();
  /// Enqueues a sum. Cells and tables must be device memory. Allocates no memory.
  void reduce(ReductionMethod reduction, const MapMethod& method, const TiledFractal& fractal,
              const MapTables& tables, const std::uint8_t* cells, const LaunchSlices& slices,
              const Stream& stream);
  /// Enqueues a copy of the last sum into page-locked host memory.
  void copy_sum(unsigned long long* to, const Stream& stream) const;

 private:
  /// Partial sums of groups of thread blocks, followed by the total.
  DeviceBuffer<unsigned long long> partial_;
};

}  // namespace loom::cuda
