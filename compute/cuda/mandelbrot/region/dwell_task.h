#pragma once

#include <cstdint>

#include "compute/core/host_device.h"
#include "compute/mandelbrot/dwell.h"
#include "compute/mandelbrot/mandelbrot_config.h"
#include "compute/mandelbrot/mandelbrot_report.h"
#include "compute/mandelbrot/subdivision.h"

namespace loom::cuda {

/// An image of dwells in device memory, row by row without gaps; Dwell is uint16 or uint32.
template <typename Dwell>
struct DeviceImage {
  Dwell* dwells = nullptr;
  std::uint32_t width = 0;
  LOOM_HOST_DEVICE Dwell& at(std::uint32_t x, std::uint32_t y) const {
    return dwells[static_cast<std::uint64_t>(y) * width + x];
  }
};

/// The counters of a running level; all start at 0.
struct LevelCounters {
  unsigned long long entries;  ///< entries in the OLT that this level reads
  unsigned long long taken;    ///< regions that thread blocks have taken from the queue
  unsigned long long jobs;     ///< fills and leaves left to several thread blocks
  unsigned long long jobs_taken;
  /// If warps share the regions of all levels (WarpTables), the first level's counters have this for all:
  /// low half: chunks put in the queue; high half: regions and panels that will put no more in it, less the
  /// children and panels that were added. `taken` then counts chunks of the first level's borders and places
  /// of the queue that warps have taken.
  unsigned long long queue;
  unsigned long long early;        ///< chunks put in the queue of slow leaves
  unsigned long long early_taken;  ///< places in it that warps have taken beyond the first of each
  unsigned long long filled;
  unsigned long long leaves;
  unsigned long long splits;
  unsigned long long border_pixels;
  unsigned long long leaf_pixels;
  unsigned long long filled_pixels;
};

/// The list of regions; `regions` is null if none is requested.
struct RegionList {
  MandelbrotRegion* regions = nullptr;
  unsigned long long* count = nullptr;
};

/// The data that all thread blocks of a subdivision share; plain data for kernels.
template <typename Evaluator, typename Dwell>
struct DwellTask {
  Evaluator grid;
  Subdivision cut;
  DeviceImage<Dwell> image;
  LevelCounters* counters = nullptr;  ///< one per level
  RegionList list;
  std::uint32_t limit = 0;
  std::uint32_t steps = 0;  ///< of a pixel, as LaunchSlices counts them
  FillRule fill = FillRule::kUniform;
  RegionScheme scheme = RegionScheme::kSbr;
  MandelbrotOptimisations optimisations;
};

}  // namespace loom::cuda
