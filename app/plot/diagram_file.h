#pragma once

#include <string>
#include <string_view>

#include "app/explain/diagram/diagram.h"
#include "app/plot/figure.h"
#include "app/plot/landscape_figure.h"

namespace loom::app::plot {

/// Draws a diagram on white with text of `text_size` points; text stays text in SVG and PDF. A PNG has two
/// pixels per point. Throws InputError if it cannot be drawn.
std::string draw_diagram(const diagram::Diagram& diagram, FigureFormat format, double text_size,
                         const std::string& title);

/// Draws a plot with its title and caption, and returns the bytes of the file.
std::string draw_figure(const Figure& figure, FigureFormat format);
std::string draw_figure(const LandscapeFigure& landscape, FigureFormat format);

/// The tables of a diagram: as RFC 4180 CSV with a line for the name of each table, and as LaTeX tabulars.
std::string tables_as_csv(const diagram::Diagram& diagram);
std::string tables_as_latex(const diagram::Diagram& diagram);

}  // namespace loom::app::plot
