#pragma once

#include <optional>

#include "app/plot/landscape_figure.h"

namespace loom::app {

/// Draws times over g, r and B at the cursor, as wide as there is room: a heat map over B and g for each r,
/// bright where it is fast, the fastest cell ringed in white and the cost model's optimum framed; below it
/// what they are. Returns the cut of a cell that was clicked. A g or B that is no power of two from 2 on has
/// no place in it, which it then says.
std::optional<CostCut> landscape_plot(const plot::LandscapeFigure& landscape);

}  // namespace loom::app
