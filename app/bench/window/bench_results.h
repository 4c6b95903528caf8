#pragma once

#include "app/bench/window/bench_panel.h"

namespace loom::app {

/// The figure of the results so far, with the choice of what it shows; a click on a point asks for its
/// configuration in the scene.
void bench_figure(BenchPanelState& state, BenchSession& session, BenchWishes& wishes);

/// Where the results and the figure are saved to.
void save_rows(BenchPanelState& state, BenchSession& session);

}  // namespace loom::app
