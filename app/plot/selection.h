#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/bench/axes.h"
#include "app/bench/results.h"

namespace loom::app::plot {

/// The values on the x axis of a plot.
enum class XAxis {
  kLevel,    ///< the level, the logarithm of the side
  kSize,     ///< log2 n of images of n x n pixels
  kG,        ///< log2 g, the initial regions per axis; of the Mandelbrot set, as r and B
  kR,        ///< log2 r
  kB,        ///< log2 B
  kDevices,  ///< the number of devices, logarithmic
  kDepth,    ///< the depth of a view, logarithmic
};
constexpr bool is_logarithmic(XAxis axis) {
  return axis == XAxis::kDevices || axis == XAxis::kDepth;
}
/// "n", "g", "r" or "b", the axes that a plot of subdivision can be over. Throws InputError that lists them.
XAxis parse_axis(std::string_view name);

/// The selected rows of a plot.
struct Selection {
  /// Texts of values by option; a missing or empty list selects all. Settings that a row does not have
  /// (arithmetic of the bounding box, subdivision and optimizations of exhaustive) do not filter it.
  bench::AxisValues values = {};
  bool best = false;          ///< one line per method, with its best tile size at each level
  XAxis over = XAxis::kSize;  ///< of the Mandelbrot set: n, g, r or B
  friend bool operator==(const Selection&, const Selection&) = default;
};

/// An option that selects rows of a kind of sweep.
struct Filter {
  std::string option;  ///< without dashes
  std::string label;   ///< in the window
  std::string help;
  bool of_method = false;  ///< a setting of a method of the Mandelbrot set
};
std::span<const Filter> filters(bench::SweepKind kind);
/// The value of a row that an option selects; empty if it does not have one.
std::string value_of(const bench::Row& row, std::string_view option);

/// The measured values by option, in the order of the results; settings of methods without those of
/// exhaustive.
bench::AxisValues subjects_of(const bench::Results& results);

using Rows = std::vector<const bench::Row*>;

/// The measured rows of a selection. `with_base` adds every bounding box of the same tile sizes as reference.
/// If no workload is selected and there are several, life is used. Throws InputError, with what exists, if
/// nothing remains, or more than one fractal, workload, backend or dwell limit.
Rows select(const bench::Results& results, const Selection& selection, bool with_base = false);
/// The exhaustive rows of the selected images.
Rows exhaustive_rows(const bench::Results& results, const Selection& selection);
/// The time of the fastest of them with the view and precision of a row; 0 if there is none.
double exhaustive_ms(const Rows& exhaustive, const bench::Row& row);
bool same_view(const bench::Row& a, const bench::Row& b);

/// Throws InputError if the rows have several of these texts; `what` is their name, `remedy` how to select
/// one.
void check_one(const Rows& rows, const std::function<std::string(const bench::Row&)>& text_of,
               std::string_view what, std::string_view remedy);
/// The same for the values of an option. Without the names: those of a sweep of maps.
void check_one(const Rows& rows, std::string_view option, std::string_view what = {},
               std::string_view remedy = {});
void check_devices(const Rows& rows);

/// The reference map of speedups.
inline constexpr const char* kBaseMap = "bounding-box";

}  // namespace loom::app::plot
