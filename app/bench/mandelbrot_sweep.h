#pragma once

#include <cstdint>
#include <string>
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

/// Why a precision cannot show a view, with what is allowed; empty if it can: its pixels are distinct.
std::string precision_problem(Precision precision, const MandelbrotView& view);

/// The distinct combinations of the axes, ordered by backend, width, dwell limit, precision and n, so that
/// methods to be compared run close together in time. Combinations with g r B > n leave no level to the cost
/// model and are left out if another one remains for that n; otherwise the first stays. A precision that
/// cannot show a view stays and is skipped with the reason. Throws InputError if an axis is empty, a
/// configuration is invalid, or no precision can show its view.
std::vector<MandelbrotCase> expand(const MandelbrotAxes& axes);

/// The number of cases of `expand`. Throws as expand().
std::uint64_t count_cases(const MandelbrotAxes& axes);

}  // namespace loom::app::bench
