#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <glm/vec2.hpp>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/bench/axes.h"
#include "app/bench/machine.h"
#include "app/bench/results.h"
#include "app/explain/diagram/diagram.h"
#include "app/plot/selection.h"
#include "compute/geometry/nbb_fractal.h"
#include "compute/mandelbrot/cost_model.h"

namespace loom::app::plot {

/// The values of a plot.
enum class Quantity {
  kSpeedup,      ///< time of the bounding box at the same tile size, or of exhaustive, over the method's time
  kTime,         ///< median milliseconds of a round
  kMemory,       ///< bytes
  kUtilization,  ///< thread_utilization(), of maps
  kEnergy,       ///< joules of a round, where they were measured
};
inline constexpr std::array kQuantities = {Quantity::kSpeedup, Quantity::kTime, Quantity::kMemory,
                                           Quantity::kUtilization, Quantity::kEnergy};
std::string_view name_of(Quantity quantity);
/// Throws InputError that lists the names.
Quantity parse_quantity(std::string_view name);

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

/// Values over g, r and B.
struct LandscapeFigure {
  std::string value_name;         ///< what the values are, with their unit
  std::vector<std::uint32_t> gs;  ///< ascending, as the next two
  std::vector<std::uint32_t> rs;
  std::vector<std::uint32_t> bs;
  std::vector<CutValue> cells;  ///< values above 0
  double best = 0;              ///< the lowest time or the highest ratio
  double worst = 0;
  CostCut optimum;                 ///< has the best value
  std::optional<CostCut> marked;   ///< another combination to compare with the optimum
  std::vector<std::string> notes;  ///< describe the optimum and the marked combination
};

/// A plot as data: lines, with a logarithmic y axis and panels that share both axes, or a landscape.
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
  std::optional<LandscapeFigure> landscape = {};  ///< in place of the panels
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
/// there are several. If the selection is over g, r or B, each point has the best values of the other two.
/// Speedups are over the fastest exhaustive form of the same image.
///
/// Throws InputError, with what exists, if the selection is empty, has several values of something that a
/// plot shows one of, or too many lines.
Figure make_figure(const bench::Results& results, Quantity kind, const Selection& selection,
                   const Baseline* baseline = nullptr);

/// The speedup of several devices over one: of the same level or n, and of the same number of cells or pixels
/// per device. Throws InputError as make_figure(), and if nothing was measured on one and on several devices.
Figure make_scaling_figure(const bench::Results& results, const Selection& selection);

/// The formulas of the papers that a plot shows beside measurements.
enum class Model {
  kWorkReduction,  ///< of subdivision (compute/mandelbrot/cost_model.h), as the next two
  kSbrSpeedup,
  kMbrSpeedup,
  kParallelSpace,  ///< threads of the bounding box over those of lambda, n_x n_y / (k^r_b rho_x rho_y)
  kMapTime,        ///< n^(2 - H) / log2 log_s n, the growth rate of lambda's speedup
  kCompression,    ///< points of the bounding box over those that compact storage holds
};
std::string_view name_of(Model model);
/// Nothing for other names.
std::optional<Model> find_model(std::string_view name);
bool is_of_subdivision(Model model);

/// What a model is evaluated for.
struct ModelRequest {
  Model model = Model::kWorkReduction;
  // Of subdivision. Each P is a colour, each lambda a dash, each A a panel.
  XAxis over = XAxis::kSize;  ///< n from 2^3 to 2^30, or g, r or B from 2 to 256
  std::vector<double> p = {0.3, 0.5, 0.7, 0.9};
  std::vector<double> dwell = {512};
  std::vector<double> lambda = {100};
  CostProblem problem = {};  ///< n unless over it, q and c
  /// The allowed values of g, r and B; all powers of two from 2 to 256 of those without.
  std::map<XAxis, std::vector<std::uint32_t>> cuts = {};
  // Of maps. Levels without this tile size have no point.
  std::vector<NbbFractal> fractals = {};
  std::vector<int> levels = {};
  std::uint32_t tile_size = 1;
};
/// The plot of a model, evaluated and not measured. Without lines if nothing is defined for the request.
/// Throws InputError as validate().
Figure make_model_figure(const ModelRequest& request);

/// File formats of a plot.
enum class FigureFormat { kSvg, kPdf, kPng };
/// The format by the ending of a file: ".svg", ".pdf" or ".png". Throws InputError for others.
FigureFormat format_of(std::string_view file);

/// Lays out a figure with axes and legend. With `window`, a size in font sizes, it has this width, neither
/// title nor caption, and if necessary a larger height; without it, it is a page for print. Every point of
/// the lines has a hotspot without a tip: its box is the area in which the mouse finds the point, its tag the
/// argument of point_of(), its centre the point.
diagram::Diagram figure_diagram(const Figure& figure, const diagram::TextWidth& text_width,
                                std::optional<glm::vec2> window = {});

/// The series of a hotspot's tag, and the index of its point in the series.
std::pair<const Series*, std::size_t> point_of(const Figure& figure, int tag);

/// The median times per image, over repeats too. The marked combination is the optimum of the cost model
/// among the measured ones; the notes also describe the fit of the model, or why there is none. Throws
/// InputError if the selection contains only exhaustive entries, or more than one method, scheme, set of
/// optimizations, n, backend, dwell limit or precision.
Figure make_landscape_figure(const bench::Results& results, const Selection& selection);

/// The cost model fitted to measurements. The ratio is CostRatio::kSbrSpeedup or kMbrSpeedup.
struct LambdaFit {
  CostProblem problem;  ///< with the fitted lambda
  CutValue optimum;     ///< optimum of the model among the measured combinations
};

/// Finds the lambda in 10^-2 .. 10^5, in steps of a twentieth of a decade, with the least sum of squared
/// logarithms of predicted over measured speedup. The rest of `problem` is given, and the speedups over
/// exhaustive, above 0. Empty if no combination has a level (cost_levels).
std::optional<LambdaFit> fit_lambda(CostRatio ratio, CostProblem problem, const std::vector<CutValue>& cuts);

/// Multiprocessors (q) and FP32 cores per multiprocessor (c) of a backend: for a GPU by the throughput table
/// of the CUDA C++ Programming Guide; for the CPU its threads with one core each (vector units are not
/// modelled). Empty if the results do not name such a GPU.
struct Processors {
  double q = 1;
  double c = 1;
};
std::optional<Processors> processors_of(const bench::Machine& machine, bool on_gpu, int device);

/// Lays out a landscape, as figure_diagram(): one heat map over B and g for each r, good values bright on a
/// logarithmic scale, each cell with its value where it fits, the optimum in a solid frame, the marked cell
/// in a dashed one; below, the scale and the notes. In a window, a height of 0 puts all maps in a row. Every
/// combination of g, r and B has a hotspot without a tip, whose tag is the argument of cut_of().
diagram::Diagram landscape_diagram(const LandscapeFigure& landscape, const diagram::TextWidth& text_width,
                                   std::optional<glm::vec2> window = {}, const std::string& title = {},
                                   const std::string& caption = {});

/// The combination of a hotspot's tag.
CostCut cut_of(const LandscapeFigure& landscape, int tag);
/// The value of a combination; empty if it has none.
std::optional<double> value_at(const LandscapeFigure& landscape, const CostCut& cut);

}  // namespace loom::app::plot
