#pragma once

#include <cstdint>
#include <glm/fwd.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "app/bench/results.h"
#include "app/explain/diagram/diagram.h"
#include "app/plot/figure.h"

namespace loom::app::plot {

/// Draws a diagram on white with text of `text_size` points; text stays text in SVG and PDF. A PNG has two
/// pixels per point. Throws InputError if it cannot be drawn.
std::string draw_diagram(const diagram::Diagram& diagram, FigureFormat format, double text_size,
                         const std::string& title);

/// Draws a plot with its title and caption, and returns the bytes of the file.
std::string draw_figure(const Figure& figure, FigureFormat format);

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

/// The widths of texts in DejaVu Sans and DejaVu Sans Mono.
diagram::TextWidth paper_text_width();

/// Draws a diagram as a PDF page or as a PNG with two pixels per point, with text of `text_size` points.
/// Returns the bytes of the file. Throws InputError if Cairo fails.
std::string paint_with_cairo(const diagram::Diagram& diagram, FigureFormat format, double text_size,
                             const std::string& title);

/// Draws a diagram on white, scaled to fit the picture, as rows of 3 bytes per pixel. Throws InputError if it
/// cannot be drawn.
void paint_pixels(const diagram::Diagram& diagram, glm::ivec2 size, std::vector<std::uint8_t>& rgb);

/// A step of a lesson on paper.
struct HandoutStep {
  std::string title;
  std::string text;
  int width = 0;  ///< of the picture, in pixels; 0: no picture
  int height = 0;
  std::vector<std::uint8_t> rgb;  ///< 3 * width * height bytes, rows from the top
  std::string question;           ///< empty: none
  std::vector<std::string> choices;
  std::string unit;      ///< after the answer
  std::string solution;  ///< printed if not empty
};

struct Handout {
  std::string title;
  std::string summary;
  std::vector<HandoutStep> steps;
};

/// An A4 document with one step after the other, each beside its picture. A question is followed by its
/// choices or a line for the answer. Returns the bytes of a PDF. Throws InputError if Cairo fails.
std::string handout_pdf(const Handout& handout);

}  // namespace loom::app::plot
