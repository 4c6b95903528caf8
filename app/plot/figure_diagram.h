#pragma once

#include <cstddef>
#include <optional>
#include <utility>

#include "app/explain/diagram/diagram.h"
#include "app/plot/figure.h"

namespace loom::app::plot {

/// The size of a plot in a window, in font sizes.
struct PlotSize {
  float width = 0;   ///< above 0
  float height = 0;  ///< a plot that needs more is higher
};

/// Lays out a figure with axes and legend. With `window`, it has this width and neither title nor caption;
/// without it, it is a page for print. Every point of the lines has a hotspot without a tip: its box is the
/// area in which the mouse finds the point, its tag the argument of point_of(), its centre the point.
diagram::Diagram figure_diagram(const Figure& figure, const diagram::TextWidth& text_width,
                                std::optional<PlotSize> window = {});

/// The series of a hotspot's tag, and the index of its point in the series.
std::pair<const Series*, std::size_t> point_of(const Figure& figure, int tag);

}  // namespace loom::app::plot
