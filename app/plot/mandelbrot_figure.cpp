#include "app/plot/mandelbrot_figure.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "app/bench/sampler.h"
#include "app/plot/diagram_file.h"
#include "app/plot/plot_area.h"
#include "compute/core/error.h"
#include "compute/mandelbrot/mandelbrot_fields.h"

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

namespace {

using bench::MandelbrotEntry;

bool is_exhaustive(const MandelbrotEntry& entry) {
  return entry.config.method == MandelbrotMethod::kExhaustive;
}

template <typename Value>
void join(std::vector<Value>& seen, const Value& value) {
  if (std::find(seen.begin(), seen.end(), value) == seen.end()) seen.push_back(value);
}

bool is_selected(const bench::AxisValues& wanted, const MandelbrotConfig& config) {
  const bool exhaustive = config.method == MandelbrotMethod::kExhaustive;
  return std::ranges::all_of(mandelbrot_config_fields(), [&](const auto& field) {
    const auto values = wanted.find(field.option);
    const bool unused = !field.varies(config) || (exhaustive && field.key == "ideas");
    return values == wanted.end() || unused || passes(values->second, field.text(config).value_or(""));
  });
}

}  // namespace

MandelbrotSelection mandelbrot_subjects_of(const bench::Results& results) {
  MandelbrotSelection subjects;
  for (const MandelbrotEntry& entry : results.dwells()) {
    if (!entry.measured) continue;
    join(subjects.sizes, entry.view.width);
    join(subjects.widths, bench::width_text(entry.view));
    join(subjects.backends, entry.backend);
    join(subjects.devices, entry.devices);
    if (is_exhaustive(entry)) continue;
    for (const auto& field : mandelbrot_config_fields()) {
      if (field.in_sweep)
        join(subjects.fields[std::string(field.option)], field.text(entry.config).value_or(""));
    }
  }
  return subjects;
}

SelectedDwells select(const bench::Results& results, const MandelbrotSelection& selection) {
  SelectedDwells selected;
  for (const MandelbrotEntry& entry : results.dwells()) {
    const bool same_image = entry.measured && passes(selection.sizes, entry.view.width) &&
                            passes(selection.widths, bench::width_text(entry.view)) &&
                            passes(selection.backends, entry.backend) &&
                            passes(selection.devices, entry.devices);
    if (!same_image) continue;
    if (is_exhaustive(entry)) selected.exhaustive.push_back(&entry);
    if (is_selected(selection.fields, entry.config)) selected.entries.push_back(&entry);
  }
  if (selected.entries.empty()) {
    throw InputError(
        fmt::format("the results contain no measured configuration of this selection ({} entries in total); "
                    "allowed: a wider selection",
                    results.dwells().size()));
  }
  check_one(selected.entries, "backend", "--backend", [](const MandelbrotEntry& e) { return e.backend; });
  check_one(selected.entries, "dwell limit", "--dwell",
            [](const MandelbrotEntry& e) { return fmt::format("{}", e.config.dwell_limit); });
  return selected;
}

void check_devices(const MandelbrotEntries& entries) {
  check_one(entries, "number of devices", "--devices with one of them",
            [](const MandelbrotEntry& e) { return fmt::format("{}", e.devices); });
}

void check_one_view(const MandelbrotEntries& entries) {
  check_one(entries, "precision", "--precision",
            [](const MandelbrotEntry& e) { return std::string(name_of(e.config.precision)); });
  check_one(entries, "width", "--width", [](const MandelbrotEntry& e) { return bench::width_text(e.view); });
}

void check_one(const MandelbrotEntries& entries, std::string_view what, std::string_view remedy,
               std::string (*text_of)(const MandelbrotEntry&)) {
  std::set<std::string> have;
  for (const MandelbrotEntry* entry : entries) have.insert(text_of(*entry));
  if (have.size() <= 1) return;
  throw InputError(fmt::format("the results contain more than one {} ({}); allowed: {}", what,
                               fmt::join(have, "; "), remedy));
}

double exhaustive_ms(const MandelbrotEntries& exhaustive, const MandelbrotEntry& other) {
  double fastest = 0;
  for (const MandelbrotEntry* entry : exhaustive) {
    const double ms = entry->measured->milliseconds.median;
    const bool is_same = entry->view == other.view && entry->config.precision == other.config.precision;
    if (is_same && (fastest == 0 || ms < fastest)) fastest = ms;
  }
  return fastest;
}

}  // namespace loom::app::plot
