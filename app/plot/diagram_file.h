#pragma once

#include <glm/fwd.hpp>
#include <glm/vec3.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "app/bench/results.h"
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

// How diagrams look on paper, in every file format.

inline constexpr double kPageBorder = 1;      ///< around a diagram, in font sizes
inline constexpr double kBaseline = 1;        ///< from the top of a text to its baseline, in its font size
inline constexpr double kMinLineWidth = 0.4;  ///< in points

/// The colour on white.
glm::u8vec3 paper_colour(const diagram::Paint& paint);

/// The caption: what was measured, on which machine and backend, from which commit, and when.
std::string caption_of(const bench::Results& results, const Rows& rows);

}  // namespace loom::app::plot
