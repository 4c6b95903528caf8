#pragma once

#include "app/workspaces/benchmark/bench_panel.h"

namespace loom::app {

/// The plot of the results so far, and the choice of its content. Returns the configuration of a clicked
/// point, null if there is none.
const bench::Case* bench_figure(BenchPanelState& state, BenchSession& session);

/// Copies the outcome of finished file operations into their fields.
void take_file_result(BenchPanelState& state, BenchSession& session);

/// Suggests the file of unsaved_results_file() for opening, if it exists.
void offer_unsaved_results(BenchPanelState& state);

/// The rows for opening a results file, and another to compare it with.
void open_rows(BenchPanelState& state, BenchSession& session, const BenchScene& scene);

/// The rows for saving results and plot.
void save_rows(BenchPanelState& state, BenchSession& session);

}  // namespace loom::app
