#pragma once

#include <string>

#include "app/plot/figure.h"
#include "app/plot/landscape_figure.h"

namespace loom::app::plot {

/// Draws the plot and returns the bytes of the file.
std::string draw_figure(const Figure& figure, FigureFormat format);

/// Draws the landscape and returns the bytes of the file: one heat map over B and g for each r, fast cells
/// bright, each with its milliseconds, on a logarithmic colour scale.
std::string draw_landscape(const LandscapeFigure& landscape, FigureFormat format);

}  // namespace loom::app::plot
