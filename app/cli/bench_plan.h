#pragma once

#include "app/bench/plan.h"
#include "app/cli/bench_options.h"
#include "compute/distributed/process_group.h"

namespace loom::app {

/// The plan of the requested sweep. `ranks` are the processes that measure it together, or null. Throws
/// InputError.
bench::Plan make_bench_plan(const BenchOptions& options, const ProcessGroup* ranks);

}  // namespace loom::app
