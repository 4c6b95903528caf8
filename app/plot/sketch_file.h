#pragma once

#include <string>
#include <string_view>

#include "app/plot/figure.h"
#include "app/sketch/sketch.h"

namespace loom::app::plot {

/// Draws a diagram on white with text of `text_size` points; text stays text in SVG and PDF. A PNG has two
/// pixels per point. Throws InputError if it cannot be drawn.
std::string draw_sketch(const sketch::Sketch& sketch, FigureFormat format, double text_size,
                        const std::string& title);

/// The tables of a diagram: as RFC 4180 CSV with a line for the name of each table, and as LaTeX tabulars.
std::string tables_as_csv(const sketch::Sketch& sketch);
std::string tables_as_latex(const sketch::Sketch& sketch);

}  // namespace loom::app::plot
