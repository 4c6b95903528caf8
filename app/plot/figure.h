#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/bench/axes.h"
#include "app/bench/results.h"
#include "app/plot/selection.h"

namespace loom::app::plot {

/// The values of a plot.
enum class Quantity {
  kSpeedup,      ///< time of the bounding box at the same tile size, or of exhaustive, over the method's time
  kTime,         ///< median milliseconds of a round
  kMemory,       ///< bytes
  kUtilization,  ///< thread_utilization(), of maps
};
inline constexpr std::array kQuantities = {Quantity::kSpeedup, Quantity::kTime, Quantity::kMemory,
                                           Quantity::kUtilization};
std::string_view name_of(Quantity quantity);
/// Throws InputError that lists the names.
Quantity parse_quantity(std::string_view name);

/// The values on the x axis of a plot.
enum class XAxis {
  kLevel,    ///< the level, the logarithm of the side
  kDevices,  ///< the number of devices, logarithmic
  kDepth,    ///< the depth of a view, logarithmic
};

struct Point {
  int level = 0;     ///< value on the x axis
  double value = 0;  ///< above 0
  friend bool operator==(const Point&, const Point&) = default;
};

/// One line: its look (indices into plot_area.h) and its points.
struct Series {
  std::size_t colour = 0;  ///< index of colour and marker
  std::size_t dash = 0;
  std::vector<Point> points = {};      ///< by level, ascending
  std::vector<std::size_t> rows = {};  ///< index of the row in the results, per point
};

struct LegendItem {
  std::string text;
  /// Colour and marker; empty for a plain line that shows only a dash.
  std::optional<std::size_t> colour;
  std::size_t dash = 0;
};
struct LegendSection {
  std::string title;
  std::vector<LegendItem> items = {};
};

/// Lines with common axes.
struct Panel {
  std::string title;  ///< empty if there is only one panel
  std::vector<Series> series = {};
};

/// A plot as data. The y axis is logarithmic; all panels share both axes.
struct Figure {
  Quantity kind = Quantity::kTime;
  std::string title;
  std::string x_label;
  std::string y_label;
  XAxis x_axis = XAxis::kLevel;
  std::uint64_t scale = 2;    ///< s_x; level r has the side n = s_x^r
  std::vector<Panel> panels;  ///< row by row
  std::size_t columns = 1;    ///< panels per row
  std::vector<LegendSection> legend;
  std::string caption;
};

/// Earlier results of the same configurations, as what speedups are over.
struct Baseline {
  bench::Results results;
  std::string name;  ///< of the file
};

/// The plot of a sweep.
///
/// Of maps: over the level. If there are too many methods and tile sizes for one line each, the best tile
/// size is used. Speedups are over the bounding box, or over `baseline`, whatever machine that was measured
/// on.
///
/// Of the Mandelbrot set: over log2 n, or over the depth if the selection has several widths. A line is a
/// method, scheme, precision if there are several (colour) and set of optimizations (dash), and g, r, B if
/// there are several. Speedups are over the fastest exhaustive form of the same image.
///
/// Throws InputError, with what exists, if the selection is empty, has several values of something that a
/// plot shows one of, or too many lines.
Figure make_figure(const bench::Results& results, Quantity kind, const Selection& selection,
                   const Baseline* baseline = nullptr);

/// The speedup of several devices over one: of the same level or n, and of the same number of cells or pixels
/// per device. Throws InputError as make_figure(), and if nothing was measured on one and on several devices.
Figure make_scaling_figure(const bench::Results& results, const Selection& selection);

/// What a sweep of maps can gain, counted and not measured: the threads that the bounding box launches for
/// each cell, n_x n_y / k^r, for the two-dimensional fractals and levels of the axes. Without lines if there
/// are none.
Figure preview_figure(const bench::MapAxes& axes);

/// File formats of a plot.
enum class FigureFormat { kSvg, kPdf, kPng };
/// The format by the ending of a file: ".svg", ".pdf" or ".png". Throws InputError for others.
FigureFormat format_of(std::string_view file);

}  // namespace loom::app::plot
