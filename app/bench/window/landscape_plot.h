#pragma once

#include <optional>

#include "app/plot/landscape_figure.h"

namespace loom::app {

/// Draws times over g, r and B at the cursor with the available width: one heat map over B and g for each r;
/// fast cells are bright, the fastest is ringed in white, and the optimum of the cost model is framed; notes
/// are below. Returns the g, r and B of a clicked cell. Values of g or B that are not powers of two are not
/// drawn, and a note says so.
std::optional<CostCut> landscape_plot(const plot::LandscapeFigure& landscape);

}  // namespace loom::app
