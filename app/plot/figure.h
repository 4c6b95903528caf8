#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/bench/results.h"

namespace loom::app::plot {

/// The values of a plot against the level.
enum class Quantity {
  kSpeedup,      ///< bounding box time at the same tile size over the method's time
  kTime,         ///< median milliseconds per generation
  kMemory,       ///< bytes for cells
  kUtilization,  ///< thread_utilization()
};
inline constexpr std::array kQuantities = {Quantity::kSpeedup, Quantity::kTime, Quantity::kMemory,
                                           Quantity::kUtilization};
std::string_view name_of(Quantity kind);
/// Throws InputError that lists the names.
Quantity parse_quantity(std::string_view name);

/// The selected entries of a plot; an empty list selects all.
struct Selection {
  std::vector<std::string> fractals = {};
  std::vector<std::string> maps = {};
  std::vector<std::string> arithmetics = {};
  std::vector<std::string> intra_blocks = {};
  std::vector<std::string> workloads = {};
  std::vector<std::string> backends = {};
  std::vector<std::uint32_t> tile_sizes = {};
  std::vector<int> levels = {};
  std::vector<int> devices = {};  ///< numbers of devices
  bool best = false;              ///< one line per method, with its best tile size at each level
  friend bool operator==(const Selection&, const Selection&) = default;
};

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

/// One line: its look (indices into style.h) and its points.
struct Series {
  std::size_t colour = 0;  ///< index of colour and marker
  std::size_t dash = 0;
  std::vector<Point> points;         ///< by level, ascending
  std::vector<std::size_t> entries;  ///< index of the entry in the results, per point
};

struct LegendItem {
  std::string text;
  /// Colour and marker; empty for a plain line that shows only a dash.
  std::optional<std::size_t> colour;
  std::size_t dash = 0;
};
struct LegendSection {
  std::string title;
  std::vector<LegendItem> items;
};

/// Lines with common axes.
struct Panel {
  std::string title;  ///< empty if there is only one panel
  std::vector<Series> series;
};

/// The fractals, workloads, backends and numbers of devices in results; a plot shows one of each.
struct Subjects {
  std::vector<std::string> fractals;
  std::vector<std::string> workloads;
  std::vector<std::string> backends;
  std::vector<int> devices;
};
/// The measured subjects in the order of the results.
Subjects subjects_of(const bench::Results& results);

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

/// If there are too many methods and tile sizes for one line each, `best` is used. Speedups are over the
/// bounding box, or over `baseline`, whatever machine that was measured on. Throws InputError, with what
/// exists, if the selection is empty or contains more than one fractal, workload, backend or number of
/// devices.
Figure make_figure(const bench::Results& results, Quantity kind, const Selection& selection,
                   const Baseline* baseline = nullptr);

/// What a sweep of maps can gain, counted and not measured: the threads that the bounding box launches for
/// each cell, n_x n_y / k^r, for the two-dimensional fractals and levels of the axes. Without lines if there
/// are none.
Figure preview_figure(const bench::MapAxes& axes);

/// File formats of a plot.
enum class FigureFormat { kSvg, kPdf, kPng };
/// The format by the ending of a file: ".svg", ".pdf" or ".png". Throws InputError for others.
FigureFormat format_of(std::string_view file);

}  // namespace loom::app::plot
