#pragma once

#include <cstdint>

#include "compute/cuda/launch_slices.h"
#include "compute/mandelbrot/mandelbrot_config.h"
#include "compute/mandelbrot/mandelbrot_memory.h"
#include "compute/mandelbrot/subdivision.h"

namespace loom::cuda {

/// The launch plan of a computation by regions under a limit for the length of a launch, and the additional
/// memory that it needs. Not used by the exhaustive method.
struct LevelPlan {
  /// For dynamic parallelism: the level whose regions the host launches. Levels above it are processed as in
  /// ASK; the number of levels if all of them are.
  std::uint32_t dp_level = 0;
  bool chained = false;      ///< DP: launches are joined
  bool lists_roots = false;  ///< DP: the first regions of a whole image are launched in parts
  OltCapacity olts;
  std::uint64_t jobs = 0;
  std::uint64_t warp_words = 0;  ///< if the warps of all thread blocks share the regions: WarpTables::words()
  std::uint64_t bytes_beyond = 0;  ///< total that bytes_needed() does not count
};

/// `slices` are those of the configuration's precision.
/// `steps`: of a pixel, as LaunchSlices counts them.
LevelPlan plan_levels(const MandelbrotConfig& config, const Subdivision& cut, std::uint32_t steps,
                      const LaunchSlices& slices);

}  // namespace loom::cuda
