#pragma once

#include <cstddef>
#include <glm/vec2.hpp>
#include <optional>
#include <utility>

#include "app/explain/diagram/diagram.h"
#include "app/plot/figure.h"

namespace loom::app::plot {

/// Lays out a figure with axes and legend. With `window`, a size in font sizes, it has this width, neither
/// title nor caption, and if necessary a larger height; without it, it is a page for print. Every point of
/// the lines has a hotspot without a tip: its box is the area in which the mouse finds the point, its tag the
/// argument of point_of(), its centre the point.
diagram::Diagram figure_diagram(const Figure& figure, const diagram::TextWidth& text_width,
                                std::optional<glm::vec2> window = {});

/// The series of a hotspot's tag, and the index of its point in the series.
std::pair<const Series*, std::size_t> point_of(const Figure& figure, int tag);

}  // namespace loom::app::plot
