#pragma once

#include <string>
#include <string_view>

#include "app/plot/figure.h"
#include "app/sketch/sketch.h"

namespace loom::app::plot {

/// A sketch on white paper, with letters of `text_size` points: texts stay texts in SVG and PDF. A PNG has
/// two pixels a point. Throws InputError where it cannot be drawn.
std::string draw_sketch(const sketch::Sketch& sketch, FigureFormat format, double text_size,
                        const std::string& title);

/// The tables of a sketch, one after the other: as RFC 4180 CSV with a line for each table's name, and as
/// LaTeX tabulars.
std::string tables_as_csv(const sketch::Sketch& sketch);
std::string tables_as_latex(const sketch::Sketch& sketch);

}  // namespace loom::app::plot
