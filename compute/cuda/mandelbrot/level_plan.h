#pragma once

#include <cstdint>

#include "compute/cuda/launch_slices.h"
#include "compute/mandelbrot/mandelbrot_config.h"
#include "compute/mandelbrot/mandelbrot_memory.h"
#include "compute/mandelbrot/subdivision.h"

namespace loom::cuda {

/// How a computation by regions is launched where no launch may be long, and what that needs beside the
/// dwells. Nothing of the exhaustive method.
struct LevelPlan {
  /// Of dynamic parallelism: the level whose regions the host starts. Those above are gone through as ASK
  /// does; where all are, it is the number of levels.
  std::uint32_t dp_level = 0;
  bool chained = false;      ///< DP: launches are joined
  bool lists_roots = false;  ///< DP: the first regions of a whole picture are started in parts
  OltCapacity olts;
  std::uint64_t jobs = 0;
  std::uint64_t bytes_beyond = 0;  ///< of all of it, where bytes_needed() does not count it
};

/// `slices` are those of the configuration's precision.
LevelPlan plan_levels(const MandelbrotConfig& config, const Subdivision& cut, const LaunchSlices& slices);

}  // namespace loom::cuda
