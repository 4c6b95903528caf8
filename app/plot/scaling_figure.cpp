#include "app/plot/scaling_figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "app/bench/sampler.h"
#include "app/plot/diagram_file.h"
#include "app/plot/plot_area.h"
#include "app/plot/series_table.h"
#include "compute/core/error.h"

namespace loom::app::plot {
namespace {

constexpr std::size_t kMaxScalingLines = 30;
/// Numbers of cells per device within this factor count as equal. With k = 3 replicas, some level is within
/// this factor of any number of cells.
constexpr double kNearest = 1.75;

/// One measurement.
struct ScalingRun {
  std::string method;      ///< method with its tile size, or with g, r and B
  std::string best_of;     ///< the method alone
  std::uint64_t size = 0;  ///< the level, or n
  double work = 0;         ///< cells, or pixels
  int devices = 1;
  double ms = 0;
};

struct ScalingTime {
  double work = 0;
  double ms = 0;  ///< median of the repeats; with `best` the fastest tile size
};
/// By size, then devices.
using ScalingLine = std::map<std::uint64_t, std::map<int, ScalingTime>>;
using ScalingLines = std::map<std::string, ScalingLine>;  ///< by method

ScalingLines lines_of(const std::vector<ScalingRun>& runs, bool best) {
  using Key = std::tuple<std::string, std::string, std::uint64_t, int>;
  std::map<Key, std::pair<double, std::vector<double>>> repeats;
  for (const ScalingRun& run : runs) {
    auto& [work, times] = repeats[{run.best_of, run.method, run.size, run.devices}];
    work = run.work;
    times.push_back(run.ms);
  }
  ScalingLines lines;
  for (const auto& [key, one] : repeats) {
    const auto& [best_of, method, size, devices] = key;
    const double ms = bench::summarise(one.second).median;
    if (!(ms > 0)) continue;
    const ScalingTime measured{one.first, ms};
    const auto [at, is_new] = lines[best ? best_of : method][size].emplace(devices, measured);
    if (!is_new && ms < at->second.ms) at->second = measured;
  }
  return lines;
}

std::vector<Point> strong_points(const std::map<int, ScalingTime>& by_devices) {
  std::vector<Point> points;
  const auto one = by_devices.find(1);
  if (one == by_devices.end()) return points;
  for (const auto& [devices, measured] : by_devices)
    points.push_back({devices, one->second.ms / measured.ms});
  return points;
}

/// The measurement with `devices` devices whose work per device is nearest to that of `one`. Null if none is
/// within kNearest.
const ScalingTime* nearest(const ScalingLine& line, const ScalingTime& one, int devices) {
  const ScalingTime* found = nullptr;
  double least = std::log(kNearest);
  for (const auto& [size, by_devices] : line) {
    const auto at = by_devices.find(devices);
    if (at == by_devices.end()) continue;
    const double away = std::abs(std::log(at->second.work / devices / one.work));
    if (away > least) continue;
    least = away;
    found = &at->second;
  }
  return found;
}

std::vector<Point> weak_points(const ScalingLine& line, std::uint64_t size) {
  std::vector<Point> points;
  const auto one = line.at(size).find(1);
  if (one == line.at(size).end()) return points;
  std::set<int> counts;
  for (const auto& [other, by_devices] : line) {
    for (const auto& [devices, measured] : by_devices) counts.insert(devices);
  }
  const double rate = one->second.work / one->second.ms;
  for (const int devices : counts) {
    const ScalingTime* measured = devices == 1 ? &one->second : nearest(line, one->second, devices);
    if (measured != nullptr) points.push_back({devices, measured->work / measured->ms / rate});
  }
  return points;
}

struct ScalingCurve {
  const std::string* method = nullptr;
  std::uint64_t size = 0;
  std::vector<Point> points;
};

template <typename PointsOf>
std::vector<ScalingCurve> drawn(const ScalingLines& lines, PointsOf&& points_of) {
  std::vector<ScalingCurve> all;
  for (const auto& [method, line] : lines) {
    for (const auto& [size, by_devices] : line) {
      std::vector<Point> points = points_of(line, size);
      if (points.size() > 1) all.push_back({&method, size, std::move(points)});
    }
  }
  return all;
}

/// The lines of both panels, without colours and dashes.
struct ScalingPanels {
  std::vector<ScalingCurve> strong;
  std::vector<ScalingCurve> weak;
};

ScalingPanels panels_of(const ScalingLines& lines) {
  return {
      drawn(lines, [](const ScalingLine& line, std::uint64_t size) { return strong_points(line.at(size)); }),
      drawn(lines, weak_points)};
}

void add_panel(Figure& figure, const std::string& title, const std::vector<ScalingCurve>& drawn,
               const std::vector<std::uint64_t>& sizes, const std::vector<std::string>& methods) {
  Panel panel{title, {}};
  std::set<int> counts;
  for (const ScalingCurve& one : drawn) {
    for (const Point& point : one.points) counts.insert(point.level);
  }
  Series ideal{kUniformStyle, 1, {}, {}};
  for (const int devices : counts) ideal.points.push_back({devices, static_cast<double>(devices)});
  panel.series.push_back(std::move(ideal));
  for (const ScalingCurve& one : drawn) {
    const auto size = std::find(sizes.begin(), sizes.end(), one.size);
    if (size == sizes.end()) continue;
    const auto method = std::find(methods.begin(), methods.end(), *one.method);
    panel.series.push_back({static_cast<std::size_t>(size - sizes.begin()),
                            static_cast<std::size_t>(method - methods.begin()),
                            one.points,
                            {}});
  }
  if (panel.series.size() > 1) figure.panels.push_back(std::move(panel));
}

/// The plot of either kind of sweep. `size_name` is "level r" or similar, `work_name` "cells" or "pixels",
/// `tuned` what is chosen for each point of a line that joins several methods: "tile size".
Figure scaling_of(const std::vector<ScalingRun>& runs, bool best, const std::string& size_name,
                  const std::string& work_name, const std::string& tuned) {
  ScalingPanels panels = panels_of(lines_of(runs, best));
  const bool joined =
      best || panels.strong.size() > kMaxScalingLines || panels.weak.size() > kMaxScalingLines;
  const ScalingLines lines = lines_of(runs, joined);
  panels = panels_of(lines);
  std::set<std::uint64_t> all_sizes;
  std::set<std::string> all_methods;
  for (const auto* part : {&panels.strong, &panels.weak}) {
    for (const ScalingCurve& one : *part) {
      all_sizes.insert(one.size);
      all_methods.insert(*one.method);
    }
  }
  if (all_sizes.empty()) {
    throw InputError(
        "the results contain no configuration that was measured on one device and on several; allowed: "
        "results of bench --devices");
  }
  const std::vector<std::string> methods(all_methods.begin(), all_methods.end());
  if (methods.size() > kDashes) {
    throw InputError(fmt::format(
        "{} methods are too many for a scaling plot; allowed: at most {} (select some by options)",
        methods.size(), kDashes));
  }
  std::vector<std::uint64_t> sizes(all_sizes.begin(), all_sizes.end());
  if (sizes.size() > kColours) sizes.erase(sizes.begin(), sizes.end() - kColours);

  Figure figure;
  figure.kind = Quantity::kSpeedup;
  figure.x_axis = XAxis::kDevices;
  figure.x_label = "devices";
  figure.y_label = "speedup over one device";
  if (joined) figure.y_label += fmt::format(", best {} each", tuned);
  add_panel(figure, "strong scaling: same problem size", panels.strong, sizes, methods);
  add_panel(figure, "weak scaling: same " + work_name + " per device", panels.weak, sizes, methods);
  figure.columns = figure.panels.size();
  LegendSection by_size{size_name, {}};
  for (std::size_t i = 0; i < sizes.size(); ++i) by_size.items.push_back({fmt::format("{}", sizes[i]), i, 0});
  LegendSection by_method{"method", {}};
  for (std::size_t i = 0; i < methods.size(); ++i) by_method.items.push_back({methods[i], std::nullopt, i});
  figure.legend = {by_size, by_method, {"reference", {{"ideal", kUniformStyle, 1}}}};
  if (sizes.size() < all_sizes.size()) {
    figure.caption =
        fmt::format("The {} largest of {} values of {}. ", sizes.size(), all_sizes.size(), size_name);
  }
  if (!panels.weak.empty()) {
    figure.caption += fmt::format(
        "Weak scaling: {0} per second relative to one device at the {1} of the line, which has as many {0} "
        "as each of the devices, within a factor of {2}. ",
        work_name, size_name, kNearest);
  }
  return figure;
}

/// Throws if samples with bit storage have different numbers of generations. Bit storage runs several
/// generations per launch if several are requested, so such samples measure different methods.
void check_equal_entries(const std::vector<const bench::MapEntry*>& entries) {
  const bench::MapEntry* first = nullptr;
  for (const bench::MapEntry* entry : entries) {
    if (entry->part("storage") != "bits") continue;
    if (first == nullptr) first = entry;
    const std::uint32_t expected = first->measured->generations_per_sample;
    const std::uint32_t found = entry->measured->generations_per_sample;
    if (found == expected) continue;
    throw InputError(
        fmt::format("level {} on {} device{} was sampled with {} generations per call, level {} on {} with "
                    "{}: bit storage with different numbers is not comparable; allowed: --level with levels "
                    "that agree, or results of bench --at-once N",
                    first->level, first->devices, first->devices == 1 ? "" : "s", expected, entry->level,
                    entry->devices, found));
  }
}

}  // namespace

Figure make_scaling_figure(const bench::Results& results, const Selection& selection) {
  const auto entries = select(results, selection, false);
  check_equal_entries(entries);
  std::vector<ScalingRun> runs;
  for (const bench::MapEntry* entry : entries) {
    std::string method = bench::method_text(*entry);
    if (const auto storage = entry->part("storage")) method += ", " + *storage;
    if (entry->reduction) method += ", by " + *entry->reduction;
    runs.push_back({fmt::format("{}, ρ {}", method, entry->tile_size), method,
                    static_cast<std::uint64_t>(entry->level), static_cast<double>(entry->cells),
                    entry->devices, entry->measured->milliseconds.median});
  }
  Figure figure = scaling_of(runs, selection.best, "level r", "cells", "tile size");
  figure.title =
      fmt::format("{}, {}: scaling over devices", entries.front()->fractal, entries.front()->workload);
  figure.caption += caption_of(results, entries);
  return figure;
}

Figure make_scaling_figure(const bench::Results& results, const MandelbrotSelection& selection) {
  const SelectedDwells selected = select(results, selection);
  check_one_view(selected.entries);
  std::vector<ScalingRun> runs;
  for (const bench::MandelbrotEntry* entry : selected.entries) {
    const bool has_cut = entry->config.method != MandelbrotMethod::kExhaustive;
    const std::string method = fmt::format("{}, optimizations {}", bench::method_text(entry->config),
                                           to_string(entry->config.optimisations));
    runs.push_back({has_cut ? fmt::format("{}, {}", method, bench::cut_text(entry->config)) : method, method,
                    entry->view.width, static_cast<double>(entry->view.pixels()), entry->devices,
                    entry->measured->milliseconds.median});
  }
  Figure figure = scaling_of(runs, false, "n", "pixels", "g, r and B");
  figure.title = "Mandelbrot set: scaling over devices";
  figure.caption += caption_of(results, selected.entries);
  return figure;
}

}  // namespace loom::app::plot
