#pragma once

#include <glm/vec2.hpp>
#include <optional>

#include "app/explain/diagram/diagram.h"
#include "app/plot/landscape_figure.h"

namespace loom::app::plot {

/// Lays out a landscape: one heat map over B and g for each r, good values bright on a logarithmic scale,
/// each cell with its value where it fits, the optimum in a solid frame, the marked cell in a dashed one;
/// below, the scale and the notes. With `window`, a size in font sizes, it has this width and neither title
/// nor caption, and a height of 0 puts all maps in a row; without it, it is a page for print. Every
/// combination of g, r and B has a hotspot without a tip, whose tag is the argument of cut_of().
diagram::Diagram landscape_diagram(const LandscapeFigure& landscape, const diagram::TextWidth& text_width,
                                   std::optional<glm::vec2> window = {});

/// The combination of a hotspot's tag.
CostCut cut_of(const LandscapeFigure& landscape, int tag);
/// The value of a combination; empty if it has none.
std::optional<double> value_at(const LandscapeFigure& landscape, const CostCut& cut);

}  // namespace loom::app::plot
