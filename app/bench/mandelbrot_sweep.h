#pragma once

#include <cstdint>
#include <vector>

#include "app/bench/axes.h"

namespace loom::app::bench {

/// One configuration of the Mandelbrot set to measure.
struct MandelbrotCase {
  MandelbrotConfig config;
  MandelbrotView view;
  BackendSelection backend;
  int repeat = 0;           ///< which run of the sweep, from 0
  std::uint32_t shard = 0;  ///< that it was dealt to; 0 for none
};

/// The distinct combinations of the axes, each once: by backend, dwell limit, precision and n, so
/// that the methods that are to be compared run close together in time. Of g, r and B those with g r B > n,
/// which leave no level to the cost model, are left out while another remains for that n; where none does,
/// the first stays. Throws InputError where an axis is empty or a configuration is not valid by itself.
std::vector<MandelbrotCase> expand(const MandelbrotAxes& axes);

/// How many cases `expand` would give. Throws likewise.
std::uint64_t count_cases(const MandelbrotAxes& axes);

}  // namespace loom::app::bench
