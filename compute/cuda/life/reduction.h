#pragma once

#include <cstdint>

#include "compute/cuda/device_buffer.h"
#include "compute/cuda/launch_slices.h"
#include "compute/cuda/stream.h"
#include "compute/geometry/blocked_fractal.h"
#include "compute/map/map_method.h"
#include "compute/map/map_tables.h"
#include "compute/workload/workload.h"

namespace loom::cuda {

/// Sums reduction_value() over all cells, in memory that it holds.
class Reducer {
 public:
  Reducer();
  /// Enqueues a sum. Cells and tables are device memory. Allocates nothing.
  void reduce(ReductionMethod reduction, const MapMethod& method, const BlockedFractal& fractal,
              const MapTables& tables, const std::uint8_t* cells, const LaunchSlices& slices,
              const Stream& stream);
  /// Enqueues a copy of the last sum into page-locked host memory.
  void copy_sum(unsigned long long* to, const Stream& stream) const;

 private:
  DeviceBuffer<unsigned long long> partial_;  ///< the sums of many thread blocks each, then the sum of all
};

}  // namespace loom::cuda
