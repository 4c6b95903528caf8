#pragma once

#include "app/bench/window/bench_panel.h"

namespace loom::app {

/// The figure of the results so far, with the choice of what it shows; a click on a point makes its
/// configuration the scene's.
void bench_figure(BenchPanelState& state, BenchSession& session, Edit& edit);

/// Where the results and the figure are saved to.
void save_rows(BenchPanelState& state, BenchSession& session);

}  // namespace loom::app
