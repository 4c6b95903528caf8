#pragma once

#include "app/workspaces/benchmark/bench_panel.h"

namespace loom::app {

/// The upper part of the Benchmark panel: the axes of the sweep. Fields are disabled while it runs.
void bench_form(BenchPanelState& state, BenchSession& session, const BenchScene& scene);

}  // namespace loom::app
