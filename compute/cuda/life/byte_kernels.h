#pragma once

#include <cstdint>

#include "compute/cuda/device_buffer.h"
#include "compute/cuda/launch_slices.h"
#include "compute/cuda/stream.h"
#include "compute/cuda/timeline/recording.h"
#include "compute/engine/occupancy.h"
#include "compute/engine/thread_count.h"
#include "compute/geometry/tiled_fractal.h"
#include "compute/map/map_method.h"
#include "compute/map/map_tables.h"
#include "compute/workload/game_of_life.h"
#include "compute/workload/workload.h"

namespace loom::cuda {

/// Launches a method as its workloads do and counts its threads; waits for the stream. Reads no cells. Tables
/// must be device memory. Throws CapacityError, DeviceFault.
ThreadCount count_threads(const MapMethod& method, const TiledFractal& fractal, const MapTables& tables,
                          const LaunchSlices& slices, const Stream& stream);

/// Whether an instrumented copy of a method's kernel exists. It exists only for 32-bit coordinates, which
/// halves the code to compile; wider fractals have more than 2^32 points per row.
bool can_record(const TiledFractal& fractal);

/// Enqueues one generation as step_life() does, by the instrumented copy of its kernel, and returns the
/// copy's occupancy. `window` is set for the launch's thread blocks. Throws DeviceFault.
Occupancy record_life(const MapMethod& method, bool halo, const TiledFractal& fractal,
                      const MapTables& tables, const std::uint8_t* now, std::uint8_t* next, LifeRule rule,
                      const RecordingView& to, const SpanWindow& window, const LaunchSlices& slices,
                      const Stream& stream);

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

/// Enqueues: sets every cell to single_write_value() of its coordinate and `generation`. Cells and tables
/// must be device memory. Allocates no memory.
void single_write(const MapMethod& method, const TiledFractal& fractal, const MapTables& tables,
                  std::uint8_t* cells, std::uint32_t generation, const LaunchSlices& slices,
                  const Stream& stream);

}  // namespace loom::cuda
