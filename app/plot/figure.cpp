#include "app/plot/figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "app/files/file_kind.h"
#include "app/plot/diagram_file.h"
#include "app/plot/mandelbrot_figure.h"
#include "app/plot/plot_area.h"
#include "app/plot/series_table.h"
#include "compute/core/error.h"

namespace loom::app::plot {
namespace {

/// Lines arranged in panels, with their looks and the legend. Few methods: colours are tile sizes, dashes are
/// methods; above three methods, each map has its own panel. `best` with few methods: colours are methods, in
/// one panel. `best` with many methods: one panel per map and value of a factor; colours are the factor with
/// most values, dashes the one with fewest; the bounding box, which has no factors, is in every panel.
struct Arrangement {
  std::vector<Panel> panels;
  std::size_t columns = 1;  ///< panels per row
  std::vector<LegendSection> legend;
};

/// With more methods than this, each map has its own panel.
constexpr std::size_t kMethodsInOnePanel = 3;
/// More lines in one panel are not readable.
constexpr std::size_t kLinesInOnePanel = 30;
constexpr std::size_t kMostColumns = 4;

/// The index of a value in `seen`. Appends the value if it is new.
template <typename Value>
std::size_t place_in(std::vector<Value>& seen, const Value& value) {
  const auto found = std::find(seen.begin(), seen.end(), value);
  if (found != seen.end()) return static_cast<std::size_t>(found - seen.begin());
  seen.push_back(value);
  return seen.size() - 1;
}

std::size_t count_methods(const LineTable& table) {
  std::set<std::string> methods;
  for (const Line& line : table.lines) methods.insert(line.key.method());
  return methods.size();
}

bool needs_panel_a_map(const LineTable& table) {
  std::set<std::string> maps;
  for (const Line& line : table.lines) maps.insert(line.key.map);
  return maps.size() > 1 && count_methods(table) > kMethodsInOnePanel;
}

/// Converts lines to series.
class Plotter {
 public:
  explicit Plotter(const bench::Results& results) : results_(results) {}

  Series series(const Line& line, std::size_t colour, std::size_t dash) const {
    Series series{colour, dash, {}, {}};
    for (const auto& [level, value] : line.values) {
      series.points.push_back({level, value.value});
      series.entries.push_back(static_cast<std::size_t>(value.entry - results_.maps().data()));
    }
    return series;
  }

 private:
  const bench::Results& results_;
};

/// Colours are tile sizes, dashes are methods.
Arrangement by_tile_size(const LineTable& table, const Plotter& plotter) {
  const bool by_map = needs_panel_a_map(table);
  std::set<std::uint32_t> tile_sizes;
  for (const Line& line : table.lines) tile_sizes.insert(line.key.tile_size);
  const bool any_joined = tile_sizes.erase(0) > 0;
  const auto colour_of = [&](std::uint32_t tile_size) {
    if (tile_size == 0) return kUniformStyle;
    return static_cast<std::size_t>(std::distance(tile_sizes.begin(), tile_sizes.find(tile_size)));
  };
  Arrangement result;
  std::vector<std::string> methods;
  for (const Line& line : table.lines) {
    const std::string title = by_map ? line.key.map : "";
    if (result.panels.empty() || result.panels.back().title != title) result.panels.push_back({title, {}});
    // A map without variants (the bounding box) uses its name as its only variant.
    const std::string variant = line.key.variant();
    const std::string name = !by_map ? line.key.method() : variant.empty() ? line.key.map : variant;
    result.panels.back().series.push_back(
        plotter.series(line, colour_of(line.key.tile_size), place_in(methods, name)));
  }
  result.columns = result.panels.size();

  LegendSection sizes{"tile size ρ", {}};
  for (std::uint32_t tile_size : tile_sizes)
    sizes.items.push_back({fmt::format("{}", tile_size), colour_of(tile_size), 0});
  if (any_joined) sizes.items.push_back({"all sizes", kUniformStyle, 0});
  LegendSection names{by_map ? "variant" : "map", {}};
  for (std::size_t i = 0; i < methods.size(); ++i) names.items.push_back({methods[i], std::nullopt, i});
  result.legend = {sizes, names};
  return result;
}

/// One panel; colours are methods.
Arrangement by_method(const LineTable& table, const Plotter& plotter, const std::string& tile_sizes) {
  Arrangement result;
  result.panels.emplace_back();
  LegendSection section{"method, " + tile_sizes, {}};
  // Lines that are maps have the maps' colours.
  const auto map_of = [](const Line& line) {
    return std::ranges::find(kMapKinds, line.key.map, [](MapKind map) { return name_of(map); });
  };
  std::set<std::string> maps;
  for (const Line& line : table.lines) {
    if (map_of(line) != kMapKinds.end()) maps.insert(line.key.map);
  }
  const bool lines_are_maps = maps.size() == table.lines.size();
  for (const Line& line : table.lines) {
    const std::size_t index = section.items.size();
    const std::size_t style = lines_are_maps ? style_of(*map_of(line)) : index;
    const std::size_t dash = lines_are_maps ? 0 : index / kColours;
    result.panels.front().series.push_back(plotter.series(line, style, dash));
    section.items.push_back({line.key.method(), style, dash});
  }
  result.legend = {section};
  return result;
}

/// How a crowded table shows each of its factors, by factor index.
struct FactorRoles {
  std::size_t colour = 0;
  std::optional<std::size_t> dash;
  std::vector<std::size_t> panels;
};

std::set<std::string> values_of(const LineTable& table, std::size_t factor) {
  std::set<std::string> values;
  for (const Line& line : table.lines) values.insert(line.key.parts[factor]);
  values.erase("");
  return values;
}

FactorRoles cast_roles(const LineTable& table) {
  std::vector<std::size_t> order(table.factors.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return values_of(table, a).size() > values_of(table, b).size();
  });
  FactorRoles roles;
  roles.colour = order.front();
  order.erase(order.begin());
  if (order.size() > 1) {
    roles.dash = order.back();
    order.pop_back();
  }
  roles.panels = order;
  return roles;
}

/// One panel per map and combination of values of the panel factors.
Arrangement in_grid(const LineTable& table, const Plotter& plotter, const std::string& tile_sizes) {
  const FactorRoles roles = cast_roles(table);
  Arrangement result;
  std::vector<std::string> colours;
  std::vector<std::string> dashes;
  std::vector<Series> references;
  std::map<std::string, std::size_t> panels_of_map;
  LegendSection reference{"reference", {}};
  for (const Line& line : table.lines) {
    if (line.key.variant().empty() && line.key.map == kBaseMap) {
      references.push_back(plotter.series(line, kUniformStyle, 0));
      reference.items.push_back({line.key.map, kUniformStyle, 0});
      continue;
    }
    std::string title = line.key.map;
    for (std::size_t factor : roles.panels) {
      if (!line.key.parts[factor].empty()) title += ", " + line.key.parts[factor];
    }
    const auto has_title = [&](const Panel& panel) { return panel.title == title; };
    auto panel = std::find_if(result.panels.begin(), result.panels.end(), has_title);
    if (panel == result.panels.end()) {
      panel = result.panels.insert(result.panels.end(), {title, references});
      ++panels_of_map[line.key.map];
    }
    // A map that lacks a factor has an empty part.
    const std::string& colour = line.key.parts[roles.colour];
    const std::string dash = roles.dash ? line.key.parts[*roles.dash] : "";
    panel->series.push_back(plotter.series(line, colour.empty() ? kUniformStyle : place_in(colours, colour),
                                           dash.empty() ? 0 : place_in(dashes, dash)));
  }
  for (const auto& [map, panels] : panels_of_map) result.columns = std::max(result.columns, panels);
  result.columns = std::min(result.columns, kMostColumns);
  // With one panel per map, all panels share a row; otherwise each map has a row of its own.
  if (result.columns == 1) result.columns = std::min(result.panels.size(), kMostColumns);

  result.legend.push_back({tile_sizes, {}});
  LegendSection section{table.factors[roles.colour], {}};
  for (std::size_t i = 0; i < colours.size(); ++i) section.items.push_back({colours[i], i, 0});
  result.legend.push_back(section);
  if (roles.dash) {
    LegendSection lines{table.factors[*roles.dash], {}};
    for (std::size_t i = 0; i < dashes.size(); ++i) lines.items.push_back({dashes[i], std::nullopt, i});
    result.legend.push_back(lines);
  }
  if (!reference.items.empty()) result.legend.push_back(reference);
  return result;
}

/// Whether there are too many lines for one look per method and tile size. Such a plot shows each method only
/// with its best tile size, in a grid of panels.
bool is_crowded(const LineTable& table) {
  const bool by_map = needs_panel_a_map(table);
  std::map<std::string, std::size_t> lines_of_panel;
  std::set<std::string> styles;
  for (const Line& line : table.lines) {
    ++lines_of_panel[by_map ? line.key.map : ""];
    styles.insert(by_map ? line.key.variant() : line.key.method());
  }
  const auto too_many = [](const auto& panel) { return panel.second > kLinesInOnePanel; };
  return styles.size() > kDashes || std::any_of(lines_of_panel.begin(), lines_of_panel.end(), too_many);
}

/// `results` contain the entries of the lines. `tile_sizes` describes the tile sizes of the lines of a best
/// table.
Arrangement arrange(const LineTable& table, bool best, const bench::Results& results,
                    const std::string& tile_sizes) {
  const Plotter plotter(results);
  if (!best) return by_tile_size(table, plotter);
  const bool many = count_methods(table) > kDashes && !table.factors.empty();
  return many ? in_grid(table, plotter, tile_sizes) : by_method(table, plotter, tile_sizes);
}

using Entry = bench::MapEntry;

std::string base_name(const Baseline* baseline) {
  return baseline != nullptr ? baseline->name : "the bounding box";
}

std::string title_of(Quantity kind, const Entry& entry, const Baseline* baseline) {
  switch (kind) {
    case Quantity::kSpeedup:
      return fmt::format("{}, {}: speedup over {}", entry.fractal, entry.workload, base_name(baseline));
    case Quantity::kTime:
      return fmt::format("{}, {}: time per generation", entry.fractal, entry.workload);
    case Quantity::kMemory:
      return fmt::format("{}, {}: memory for cells", entry.fractal, entry.workload);
    case Quantity::kUtilization:
      return fmt::format("{}, {}: thread utilization", entry.fractal, entry.workload);
  }
  return entry.fractal;
}

std::string y_label_of(Quantity kind, const Baseline* baseline) {
  switch (kind) {
    case Quantity::kSpeedup:
      return fmt::format("speedup over {}, same {}tile size", base_name(baseline),
                         baseline != nullptr ? "map and " : "");
    case Quantity::kTime:
      return "milliseconds, median";
    case Quantity::kMemory:
      return "bytes, both generations";
    case Quantity::kUtilization:
      return "thread utilization (active / launched)";
  }
  return "";
}

/// The tile size of lines that show the best tile size.
std::string tile_sizes_text(const std::vector<const Entry*>& entries) {
  const auto other = [&](const Entry* entry) { return entry->tile_size != entries.front()->tile_size; };
  if (std::any_of(entries.begin(), entries.end(), other)) return "best tile size";
  return fmt::format("tile size {}", entries.front()->tile_size);
}

std::string best_y_label(Quantity kind, const std::string& tile_sizes, const Baseline* baseline) {
  if (kind == Quantity::kSpeedup)
    return fmt::format("speedup over {}, {} each", base_name(baseline), tile_sizes);
  return fmt::format("{}, {}", y_label_of(kind, baseline), tile_sizes);
}

/// s_x, computed from the width s_x^r of a level.
std::uint64_t scale_of(const std::vector<const Entry*>& entries) {
  for (const Entry* entry : entries) {
    if (entry->level > 0) {
      return static_cast<std::uint64_t>(
          std::llround(std::pow(static_cast<double>(entry->width), 1.0 / entry->level)));
    }
  }
  return 1;
}

std::string x_label_of(std::uint64_t scale) {
  return scale > 1 ? fmt::format("level r, side n = {}ʳ", scale) : "level r";
}

}  // namespace

std::string_view name_of(Quantity kind) {
  switch (kind) {
    case Quantity::kSpeedup:
      return "speedup";
    case Quantity::kTime:
      return "time";
    case Quantity::kMemory:
      return "memory";
    case Quantity::kUtilization:
      return "utilization";
  }
  return "unknown";
}

Quantity parse_quantity(std::string_view name) {
  for (Quantity kind : kQuantities) {
    if (name_of(kind) == name) return kind;
  }
  throw InputError(
      fmt::format("unknown kind '{}'; allowed: speedup, time, memory, utilization, scaling, landscape "
                  "(Mandelbrot set only)",
                  name));
}

Subjects subjects_of(const bench::Results& results) {
  Subjects subjects;
  const auto join = [](std::vector<std::string>& seen, const std::string& value) {
    if (std::find(seen.begin(), seen.end(), value) == seen.end()) seen.push_back(value);
  };
  for (const Entry& entry : results.maps()) {
    if (!entry.measured) continue;
    join(subjects.fractals, entry.fractal);
    join(subjects.workloads, entry.workload);
    join(subjects.backends, entry.backend);
    if (std::find(subjects.devices.begin(), subjects.devices.end(), entry.devices) == subjects.devices.end())
      subjects.devices.push_back(entry.devices);
  }
  return subjects;
}

namespace {

/// The entries of a baseline for the fractal and workload of `one`. Other backends and numbers of devices are
/// what is compared.
std::vector<const Entry*> baseline_entries(const Baseline& baseline, Selection selection, const Entry& one) {
  if (baseline.results.kind() != bench::SweepKind::kMaps)
    throw InputError(
        fmt::format("{}: is a sweep of the Mandelbrot set; allowed: results of maps", baseline.name));
  selection.fractals = {one.fractal};
  selection.workloads = {one.workload};
  selection.backends.clear();
  selection.devices.clear();
  try {
    return select(baseline.results, selection, false);
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", baseline.name, error.what()));
  }
}

}  // namespace

Figure make_figure(const bench::Results& results, Quantity kind, const Selection& selection,
                   const Baseline* baseline) {
  if (kind != Quantity::kSpeedup) baseline = nullptr;
  const auto entries = select(results, selection, kind == Quantity::kSpeedup && baseline == nullptr);
  check_devices(entries);
  std::vector<const Entry*> base;
  if (baseline != nullptr) base = baseline_entries(*baseline, selection, *entries.front());
  const auto table_of = [&](bool best) {
    LineTable table = make_lines(entries, kind, best, baseline != nullptr ? &base : nullptr);
    std::erase_if(table.lines, [&](const Line& line) { return !passes(selection.maps, line.key.map); });
    return table;
  };
  LineTable table = table_of(selection.best);
  if (table.lines.empty()) {
    throw InputError(baseline != nullptr
                         ? fmt::format("{}: has no configuration of these results; allowed: the results of "
                                       "a sweep with the same maps, tile sizes and levels",
                                       baseline->name)
                     : kind == Quantity::kSpeedup
                         ? "the results contain no other map with a bounding box of the same level and tile "
                           "size; allowed: the kinds time, memory, utilization"
                         : "the results contain no value above 0 of this kind; allowed: another kind");
  }
  const bool best = selection.best || is_crowded(table);
  if (best && !selection.best) table = table_of(true);
  Figure figure;
  figure.kind = kind;
  figure.title = title_of(kind, *entries.front(), baseline);
  figure.scale = scale_of(entries);
  figure.x_label = x_label_of(figure.scale);
  const std::string tile_sizes = tile_sizes_text(entries);
  figure.y_label = best ? best_y_label(kind, tile_sizes, baseline) : y_label_of(kind, baseline);
  Arrangement arrangement = arrange(table, best, results, tile_sizes);
  figure.panels = std::move(arrangement.panels);
  figure.columns = arrangement.columns;
  figure.legend = std::move(arrangement.legend);
  figure.caption = caption_of(results, entries);
  return figure;
}

Figure preview_figure(const bench::MapAxes& axes) {
  Figure figure;
  figure.kind = Quantity::kSpeedup;
  figure.title = "Counted, before measuring: threads of the bounding box for each cell";
  figure.y_label = "threads launched by the bounding box / cells";
  figure.panels.emplace_back();
  LegendSection names{"fractal", {}};
  for (const NbbFractal& fractal : axes.fractals) {
    Series series{names.items.size(), names.items.size() / kColours, {}, {}};
    for (const int level : axes.levels) {
      if (level > fractal.max_level()) continue;
      const auto points =
          static_cast<double>(fractal.width(level)) * static_cast<double>(fractal.height(level));
      series.points.push_back({level, points / static_cast<double>(fractal.cells(level))});
      series.entries.push_back(0);
    }
    if (series.points.empty()) continue;
    names.items.push_back({fractal.name(), series.colour, series.dash});
    figure.panels[0].series.push_back(std::move(series));
  }
  figure.scale = axes.fractals.size() == 1 ? axes.fractals[0].width(1) : 1;
  figure.x_label = x_label_of(figure.scale);
  figure.legend = {std::move(names)};
  return figure;
}

FigureFormat format_of(std::string_view file) {
  const std::string extension = lower_extension(file);
  if (extension == ".svg") return FigureFormat::kSvg;
  if (extension == ".pdf") return FigureFormat::kPdf;
  if (extension == ".png") return FigureFormat::kPng;
  throw InputError(fmt::format("{}: unknown file format; allowed: .svg, .pdf, .png", file));
}

}  // namespace loom::app::plot
