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
  // If warps share the regions, of all levels in the first one's counters:
  unsigned long long finished_regions;  ///< regions without further work, less the children of splits
  unsigned long long open_splits;       ///< splits with work that is not taken
  unsigned long long filled;
  unsigned long long leaves;
  unsigned long long splits;
  unsigned long long border_pixels;
  unsigned long long leaf_pixels;
  unsigned long long filled_pixels;
};

/// A region that warps share; both start at 0.
struct RegionState {
  static constexpr std::uint32_t kOpen = 1u << 31;  ///< its inside is computed
  std::uint32_t border;                             ///< computed chunks of its border, and kOpen
  /// Chunks of its inside, or of its children's borders, that warps have asked for; possibly more than exist.
  std::uint32_t inside;
};
/// The size of a table with the states of `regions` regions and one bit for each of them.
constexpr std::uint64_t states_of_regions(std::uint64_t regions) {
  return regions + (regions + 63) / 64;
}

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
