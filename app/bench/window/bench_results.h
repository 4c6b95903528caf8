#pragma once

#include "app/bench/window/bench_panel.h"

namespace loom::app {

/// The figure of the results so far, with the choice of what it shows; a click on a point asks for its
/// configuration in the scene.
void bench_figure(BenchPanelState& state, BenchSession& session, BenchWishes& wishes);

/// What became of files that were under way, into their fields.
void take_filed(BenchPanelState& state, BenchSession& session);

/// Names the file of kept_results_file() to be opened, where there is one.
void offer_kept_results(BenchPanelState& state);

/// A results file to open: its name, and what came of it.
void open_row(BenchPanelState& state, BenchSession& session, const BenchScene& scene);

/// Where the results and the figure are saved to.
void save_rows(BenchPanelState& state, BenchSession& session);

}  // namespace loom::app
