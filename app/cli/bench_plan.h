#pragma once

#include "app/bench/plan.h"
#include "app/cli/bench_options.h"
#include "compute/split/ranks.h"

namespace loom::app {

/// The plan of the requested sweep. `ranks` are the processes that measure it together, or null. Throws
/// InputError.
bench::Plan make_bench_plan(const BenchOptions& options, const Ranks* ranks);

}  // namespace loom::app
