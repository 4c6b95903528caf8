#pragma once

#include <string>

#include "app/plot/figure.h"
#include "app/plot/landscape_figure.h"

namespace loom::app::plot {

/// The figure as a file's bytes.
std::string draw_figure(const Figure& figure, FigureFormat format);

/// The landscape as a file's bytes: a heat map over B and g for each r, fast cells bright, each with its
/// milliseconds, on one logarithmic scale of colours.
std::string draw_landscape(const LandscapeFigure& landscape, FigureFormat format);

}  // namespace loom::app::plot
