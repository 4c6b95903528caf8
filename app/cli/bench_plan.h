#pragma once

#include "app/bench/plan.h"
#include "app/cli/bench_options.h"
#include "compute/split/ranks.h"

namespace loom::app {

/// The sweep that the options ask for; `ranks`: the processes that measure it together, null: this one alone.
/// Throws InputError.
bench::Plan make_bench_plan(const BenchOptions& options, const Ranks* ranks);

}  // namespace loom::app
