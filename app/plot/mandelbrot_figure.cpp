#include "app/plot/mandelbrot_figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
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
  std::string name;           ///< method and scheme; g, r and B if there are several
  std::string optimisations;  ///< empty for exhaustive if it has only one form
  auto order() const { return std::tie(method, name, optimisations); }
  friend bool operator<(const LineName& a, const LineName& b) { return a.order() < b.order(); }
};

/// The entries of a line by log2 n, one per repeat.
using EntriesBySize = std::map<int, MandelbrotEntries>;

bool have_several_cuts(const MandelbrotEntries& entries) {
  std::set<std::string> cuts;
  for (const MandelbrotEntry* entry : entries) {
    if (entry->config.method != MandelbrotMethod::kExhaustive) cuts.insert(bench::cut_text(entry->config));
  }
  return cuts.size() > 1;
}

std::map<LineName, EntriesBySize> collect(const MandelbrotEntries& entries) {
  const bool several_cuts = have_several_cuts(entries);
  std::map<LineName, EntriesBySize> lines;
  for (const MandelbrotEntry* entry : entries) {
    const MandelbrotConfig& config = entry->config;
    if (!std::has_single_bit(entry->view.width)) {
      throw InputError(fmt::format("n = {} cannot be drawn; allowed: powers of two", entry->view.width));
    }
    const bool has_cut = config.method != MandelbrotMethod::kExhaustive;
    std::string name = bench::method_text(config);
    if (has_cut && several_cuts) name += ", " + bench::cut_text(config);
    lines[{config.method, name, to_string(config.optimisations)}][std::countr_zero(entry->view.width)]
        .push_back(entry);
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

Series series_of(const EntriesBySize& line, Quantity kind, const SelectedDwells& selected,
                 const bench::Results& results) {
  Series series;
  for (const auto& [level, entries] : line) {
    double value = median_of(entries, kind);
    if (kind == Quantity::kSpeedup) {
      value = value > 0 ? exhaustive_ms(selected.exhaustive, entries.front()->view.width) / value : 0;
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
    case Quantity::kEfficiency:
      break;
  }
  throw InputError(
      "efficiency exists only for map sweeps; allowed for the Mandelbrot set: speedup, time, memory, "
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
  figure.panels.emplace_back();
  std::vector<std::string> names;
  std::vector<std::string> optimisations;
  for (const auto& [name, line] : collect(selected.entries)) {
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
