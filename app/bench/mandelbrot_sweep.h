#pragma once

#include <cstdint>
#include <vector>

#include "app/bench/axes.h"
#include "compute/mandelbrot/mandelbrot_config.h"

namespace loom::app::bench {

/// One configuration of the Mandelbrot set to measure.
struct MandelbrotCase {
  MandelbrotConfig config;
  MandelbrotView view;
  BackendSelection backend;
  int repeat = 0;           ///< run of the sweep, from 0
  std::uint32_t shard = 0;  ///< its shard; 0 for none
};

/// The distinct combinations of the axes, ordered by backend, dwell limit, precision and n, so that methods
/// to be compared run close together in time. Combinations with g r B > n leave no level to the cost model
/// and are left out if another one remains for that n; otherwise the first stays. Throws InputError if an
/// axis is empty or a configuration is invalid.
std::vector<MandelbrotCase> expand(const MandelbrotAxes& axes);

/// The number of cases of `expand`. Throws as expand().
std::uint64_t count_cases(const MandelbrotAxes& axes);

}  // namespace loom::app::bench
