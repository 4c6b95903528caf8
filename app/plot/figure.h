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

/// What a figure shows against the level.
enum class Kind {
  kSpeedup,     ///< time of the bounding box at the same block size over the method's
  kTime,        ///< median milliseconds of a generation
  kMemory,      ///< bytes held for cells
  kEfficiency,  ///< share of the launched threads that have a cell
};
inline constexpr std::array kKinds = {Kind::kSpeedup, Kind::kTime, Kind::kMemory, Kind::kEfficiency};
std::string_view name_of(Kind kind);
/// Throws InputError that lists them.
Kind parse_kind(std::string_view name);

/// Which entries a figure is made of; an empty list takes all.
struct Selection {
  std::vector<std::string> fractals = {};
  std::vector<std::string> maps = {};
  std::vector<std::string> arithmetics = {};
  std::vector<std::string> intra_blocks = {};
  std::vector<std::string> workloads = {};
  std::vector<std::string> backends = {};
  std::vector<std::uint32_t> blocks = {};
  std::vector<int> levels = {};
  std::vector<int> devices = {};  ///< numbers of devices
  bool best = false;              ///< one line a method, at each level with its best block size
  friend bool operator==(const Selection&, const Selection&) = default;
};

struct Point {
  int level = 0;
  double value = 0;  ///< above 0
  friend bool operator==(const Point&, const Point&) = default;
};

/// One line: how it looks (indices into style.h) and where it goes.
struct Series {
  std::size_t colour = 0;  ///< and marker
  std::size_t dash = 0;
  std::vector<Point> points;         ///< by level, ascending
  std::vector<std::size_t> entries;  ///< of each point, the entry of the results that it shows
};

struct LegendItem {
  std::string text;
  std::optional<std::size_t>
      colour;  ///< coloured line with its marker; none = a plain line that shows a dash
  std::size_t dash = 0;
};
struct LegendSection {
  std::string title;
  std::vector<LegendItem> items;
};

/// Lines that share one pair of axes.
struct Panel {
  std::string title;  ///< empty where there is only one
  std::vector<Series> series;
};

/// The results' entries of one fractal, workload, backend and number of devices, which is what a figure can
/// show.
struct Subjects {
  std::vector<std::string> fractals;
  std::vector<std::string> workloads;
  std::vector<std::string> backends;
  std::vector<int> devices;
};
/// What was measured, in the order of the results.
Subjects subjects_of(const bench::Results& results);

/// A figure as data, before it is drawn. The x axis is the level, which is the logarithm of the side; the y
/// axis is logarithmic, and all panels share both.
struct Figure {
  Kind kind = Kind::kTime;
  std::string title;
  std::string x_label;
  std::string y_label;
  bool by_devices = false;    ///< x is the number of devices instead of the level, by its logarithm
  std::uint64_t scale = 2;    ///< s_x: level r is n = s_x^r wide
  std::vector<Panel> panels;  ///< row by row
  std::size_t columns = 1;    ///< panels in a row
  std::vector<LegendSection> legend;
  std::string caption;
};

/// Where there are too many methods for a line each and block size, it is drawn as with `best`. Throws
/// InputError where the selection leaves nothing to draw, or more than one fractal, workload,
/// backend or number of devices, with what there is.
Figure make_figure(const bench::Results& results, Kind kind, const Selection& selection);

/// What a figure is written as.
enum class FigureFormat { kSvg, kPdf, kPng };
/// By a file's ending, ".svg", ".pdf" or ".png". Throws InputError for another one.
FigureFormat format_of(std::string_view file);

}  // namespace loom::app::plot
