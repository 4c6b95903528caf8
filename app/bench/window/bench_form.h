#pragma once

#include "app/bench/window/bench_panel.h"

namespace loom::app {

/// The upper part of the Bench panel: the axes of the sweep. Fields cannot be changed while it runs.
void bench_form(BenchPanelState& state, BenchSession& session, const BenchScene& scene);

}  // namespace loom::app
