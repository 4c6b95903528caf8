#include "app/plot/mandelbrot_figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "app/bench/statistics.h"
#include "app/plot/figure_caption.h"
#include "app/plot/style.h"
#include "compute/core/error.h"

namespace loom::app::plot {
namespace {

using bench::MandelbrotEntry;

constexpr std::size_t kMaxLines = 30;

struct LineName {
  MandelbrotMethod method;
  Precision precision;
  std::string name;           ///< method and scheme; g, r and B, and precision if there are several
  std::string optimisations;  ///< empty for exhaustive if it has only one form
  auto order() const { return std::tie(method, precision, name, optimisations); }
  friend bool operator<(const LineName& a, const LineName& b) { return a.order() < b.order(); }
};

/// The entries of a line by log2 n or by depth, one per repeat.
using EntriesByX = std::map<int, MandelbrotEntries>;

bool have_several_cuts(const MandelbrotEntries& entries) {
  std::set<std::string> cuts;
  for (const MandelbrotEntry* entry : entries) {
    if (entry->config.method != MandelbrotMethod::kExhaustive) cuts.insert(bench::cut_text(entry->config));
  }
  return cuts.size() > 1;
}

template <typename ValueOf>
bool have_several(const MandelbrotEntries& entries, ValueOf value_of) {
  return std::ranges::any_of(
      entries, [&](const MandelbrotEntry* entry) { return value_of(*entry) != value_of(*entries.front()); });
}

int whole_depth(const MandelbrotEntry& entry) {
  return std::max(0, static_cast<int>(std::lround(bench::depth_of(entry.view))));
}

int log2_size(const MandelbrotEntry& entry) {
  if (!std::has_single_bit(entry.view.width))
    throw InputError(fmt::format("n = {} cannot be drawn; allowed: powers of two", entry.view.width));
  return std::countr_zero(entry.view.width);
}

std::map<LineName, EntriesByX> collect(const MandelbrotEntries& entries, XAxis x_axis) {
  const bool several_cuts = have_several_cuts(entries);
  const bool several_precisions =
      have_several(entries, [](const MandelbrotEntry& entry) { return entry.config.precision; });
  std::map<LineName, EntriesByX> lines;
  for (const MandelbrotEntry* entry : entries) {
    const MandelbrotConfig& config = entry->config;
    const bool has_cut = config.method != MandelbrotMethod::kExhaustive;
    std::string name = bench::method_text(config);
    if (has_cut && several_cuts) name += ", " + bench::cut_text(config);
    if (several_precisions) name += fmt::format(", {}", name_of(config.precision));
    MandelbrotEntries& point = lines[{config.method, config.precision, name, to_string(config.optimisations)}]
                                    [x_axis == XAxis::kDepth ? whole_depth(*entry) : log2_size(*entry)];
    if (!point.empty() && !(point.front()->view == entry->view)) {
      throw InputError(
          fmt::format("the widths {} and {} have the same depth; allowed: --width with one of them",
                      bench::width_text(point.front()->view), bench::width_text(entry->view)));
    }
    point.push_back(entry);
  }
  if (lines.size() > kMaxLines) {
    throw InputError(fmt::format(
        "{} lines are too many for a plot; allowed: at most {}, --kind landscape for many g, r and B",
        lines.size(), kMaxLines));
  }
  return lines;
}

double value_of(const MandelbrotEntry& entry, Quantity kind) {
  if (kind == Quantity::kMemory) return static_cast<double>(entry.measured->report.allocated_bytes);
  return entry.measured->milliseconds.median;
}

double median_of(const MandelbrotEntries& entries, Quantity kind) {
  std::vector<double> values;
  for (const MandelbrotEntry* entry : entries) values.push_back(value_of(*entry, kind));
  return bench::summarise(values).median;
}

Series series_of(const EntriesByX& line, Quantity kind, const SelectedDwells& selected,
                 const bench::Results& results) {
  Series series;
  for (const auto& [level, entries] : line) {
    double value = median_of(entries, kind);
    if (kind == Quantity::kSpeedup) {
      value = value > 0 ? exhaustive_ms(selected.exhaustive, *entries.front()) / value : 0;
    }
    if (!(value > 0)) continue;
    series.points.push_back({level, value});
    series.entries.push_back(static_cast<std::size_t>(entries.front() - results.dwells().data()));
  }
  return series;
}

std::size_t place_in(std::vector<std::string>& seen, const std::string& value) {
  const auto found = std::find(seen.begin(), seen.end(), value);
  if (found != seen.end()) return static_cast<std::size_t>(found - seen.begin());
  seen.push_back(value);
  return seen.size() - 1;
}

void set_words(Figure& figure) {
  switch (figure.kind) {
    case Quantity::kSpeedup:
      figure.title = "Mandelbrot set: speedup over exhaustive";
      figure.y_label = "speedup over the fastest exhaustive form";
      return;
    case Quantity::kTime:
      figure.title = "Mandelbrot set: time per image";
      figure.y_label = "milliseconds, median";
      return;
    case Quantity::kMemory:
      figure.title = "Mandelbrot set: memory";
      figure.y_label = "bytes, dwells and tables";
      return;
    case Quantity::kUtilization:
      break;
  }
  throw InputError(
      "utilization exists only for map sweeps; allowed for the Mandelbrot set: speedup, time, memory, "
      "landscape");
}

}  // namespace

Figure make_figure(const bench::Results& results, Quantity kind, const MandelbrotSelection& selection) {
  Figure figure;
  figure.kind = kind;
  set_words(figure);
  const SelectedDwells selected = select(results, selection);
  check_devices(selected.entries);
  figure.x_label = "log₂ n, images of n × n pixels";
  if (have_several(selected.entries, [](const MandelbrotEntry& e) { return bench::width_text(e.view); })) {
    check_one(selected.entries, "n", "--size",
              [](const MandelbrotEntry& e) { return fmt::format("{}", e.view.width); });
    figure.x_axis = XAxis::kDepth;
    figure.x_label = "depth d, width of the view 10^-d";
    figure.title += fmt::format(" of {0} × {0} pixels", selected.entries.front()->view.width);
  }
  figure.panels.emplace_back();
  std::vector<std::string> names;
  std::vector<std::string> optimisations;
  for (const auto& [name, line] : collect(selected.entries, figure.x_axis)) {
    if (kind == Quantity::kSpeedup && name.method == MandelbrotMethod::kExhaustive) continue;
    Series series = series_of(line, kind, selected, results);
    if (series.points.empty()) continue;
    series.colour = place_in(names, name.name);
    series.dash = place_in(optimisations, name.optimisations);
    figure.panels.front().series.push_back(std::move(series));
  }
  if (figure.panels.front().series.empty()) {
    throw InputError(
        "the results contain no exhaustive entry of the same image as another method; allowed: the kinds "
        "time, memory, landscape");
  }
  LegendSection methods{"method", {}};
  for (std::size_t i = 0; i < names.size(); ++i) methods.items.push_back({names[i], i, 0});
  LegendSection forms{"optimizations", {}};
  for (std::size_t i = 0; i < optimisations.size(); ++i)
    forms.items.push_back({optimisations[i], std::nullopt, i});
  figure.legend = {methods, forms};
  figure.caption = caption_of(results, selected.entries);
  return figure;
}

}  // namespace loom::app::plot
