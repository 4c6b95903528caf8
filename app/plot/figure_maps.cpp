#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <set>

#include "app/plot/diagram_file.h"
#include "app/plot/lines.h"
#include "app/plot/plot_area.h"
#include "compute/core/error.h"

namespace loom::app::plot {
namespace {

using bench::Row;

/// With more methods than this, each map has its own panel.
constexpr std::size_t kMethodsInOnePanel = 3;
constexpr std::size_t kMostColumns = 4;

/// The lines of a plot of maps over the level.
struct MapLines {
  /// Names of the parameters in which methods of a map differ: "arithmetic", "intra-block", ...
  std::vector<std::string> factors;
  std::vector<Line> lines;
};

bool is_timed(Quantity quantity) {
  return quantity == Quantity::kTime || quantity == Quantity::kSpeedup || quantity == Quantity::kEnergy;
}

/// A parameter in which methods differ. Lines that differ only in parameters without influence on the
/// quantity are joined.
struct Factor {
  const char* name;
  bool (*matters)(Quantity quantity);
  std::string (*value)(const Row& row);  ///< empty if the map does not have it
};

constexpr std::array kFactors = {
    Factor{"arithmetic", is_timed, [](const Row& row) { return row.text("arithmetic"); }},
    Factor{"intra-block", [](Quantity quantity) { return quantity != Quantity::kMemory; },
           [](const Row& row) { return row["arithmetic"].is_null() ? "" : row.text("intra_block"); }},
    Factor{"halo", is_timed,
           [](const Row& row) -> std::string {
             const std::string halo = row.text("halo");
             return halo.empty() ? "" : halo == "on" ? "halo" : "no halo";
           }},
    Factor{"counting", is_timed, [](const Row& row) { return row.text("counting"); }},
    Factor{"reduction", is_timed, [](const Row& row) { return row.text("reduction"); }},
};

/// The factors that influence the quantity and have several values.
std::vector<const Factor*> varying_factors(const Rows& rows, Quantity quantity) {
  std::vector<const Factor*> varying;
  for (const Factor& factor : kFactors) {
    std::set<std::string> values;
    for (const Row* row : rows) values.insert(factor.value(*row));
    values.erase("");
    if (factor.matters(quantity) && values.size() > 1) varying.push_back(&factor);
  }
  return varying;
}

/// The order of the papers, then unknown maps.
std::size_t rank_of(std::string_view map) {
  constexpr std::array<std::string_view, 3> kOrder = {kBaseMap, "lambda", "compact"};
  return static_cast<std::size_t>(std::ranges::find(kOrder, map) - kOrder.begin());
}

bool same_method(const Line& a, const Line& b) {
  return a.key.name == b.key.name && a.key.parts == b.key.parts;
}

bool same_values(const Line& a, const Line& b) {
  return std::equal(
      a.values.begin(), a.values.end(), b.values.begin(), b.values.end(),
      [](const auto& x, const auto& y) { return x.first == y.first && x.second.value == y.second.value; });
}

/// Joins the tile sizes of each method.
template <typename Join>
std::vector<Line> join_tile_sizes(const std::vector<Line>& lines, Join join) {
  const auto without_size = [](LineKey key) {
    key.size = 0;
    return key;
  };
  return join_lines(lines, without_size, join);
}

/// Whether lines have equal values at every level that they share.
bool agree(const std::vector<Line>& lines) {
  std::map<int, double> values;
  for (const Line& line : lines) {
    for (const auto& [level, value] : line.values) {
      if (values.emplace(level, value.value).first->second != value.value) return false;
    }
  }
  return true;
}

std::vector<Line> join_equal(const std::vector<Line>& lines) {
  std::vector<Line> result;
  for (auto begin = lines.begin(); begin != lines.end();) {
    const auto end =
        std::find_if(begin, lines.end(), [&](const Line& line) { return !same_method(line, *begin); });
    std::vector<Line> method(begin, end);
    if (method.size() > 1 && agree(method)) {
      method = join_tile_sizes(method, [](const LineValue& value, const LineValue&) { return value; });
    }
    result.insert(result.end(), method.begin(), method.end());
    begin = end;
  }
  return result;
}

/// Joins adjacent maps into one line with both names if each has a single line and the values are equal.
std::vector<Line> join_maps(std::vector<Line> lines) {
  std::vector<Line> result;
  for (Line& line : lines) {
    const bool same = !result.empty() && line.key.size == 0 && result.back().key.size == 0 &&
                      line.key.variant().empty() && result.back().key.variant().empty() &&
                      same_values(result.back(), line);
    if (same) {
      result.back().key.name += " and " + line.key.name;
    } else {
      result.push_back(std::move(line));
    }
  }
  return result;
}

/// Converts times to speedups. `base_of` is the line over which those of a line are; null: the line is left
/// out.
template <typename BaseOf>
std::vector<Line> ratios(const std::vector<Line>& times, BaseOf base_of) {
  std::vector<Line> lines;
  for (const Line& line : times) {
    const Line* const base = base_of(line);
    if (base == nullptr) continue;
    Line ratio{line.key};
    for (const auto& [level, ms] : line.values) {
      const auto before = base->values.find(level);
      if (before != base->values.end()) ratio.values[level] = {before->second.value / ms.value, ms.row};
    }
    if (!ratio.values.empty()) lines.push_back(std::move(ratio));
  }
  return lines;
}

/// Lines of a method with equal values for every tile size are joined; `best` joins them to the best tile
/// size at each level. Speedups are over the bounding box of the same tile size and level, or over the same
/// method, tile size and level of `baseline`, if there is one.
MapLines map_lines(const Rows& rows, Quantity quantity, bool best, const Rows* baseline) {
  Rows all = rows;
  if (baseline != nullptr) all.insert(all.end(), baseline->begin(), baseline->end());
  const auto factors = varying_factors(all, quantity);
  MapLines result;
  for (const Factor* factor : factors) result.factors.emplace_back(factor->name);
  const auto lines_of = [&](const Rows& of) {
    std::vector<Line> lines = collect(
        of, quantity,
        [&](const Row& row) {
          const std::string map = row.text("map");
          LineKey key{{rank_of(map)}, map, {}, row.count("block")};
          for (const Factor* factor : factors) key.parts.push_back(factor->value(row));
          return key;
        },
        [](const Row& row) { return static_cast<int>(row.count("level")); });
    if (!best) return lines;
    const bool higher_is_better = quantity == Quantity::kUtilization;
    return join_tile_sizes(lines, [&](const LineValue& a, const LineValue& b) {
      return (a.value < b.value) == higher_is_better ? b : a;
    });
  };
  const std::vector<Line> lines = lines_of(rows);
  if (quantity != Quantity::kSpeedup) {
    result.lines = is_timed(quantity) ? lines : join_maps(join_equal(lines));
    return result;
  }
  const std::vector<Line> bases = baseline != nullptr ? lines_of(*baseline) : lines;
  result.lines = ratios(lines, [&](const Line& line) -> const Line* {
    if (baseline == nullptr && line.key.name == kBaseMap) return nullptr;
    const auto base = std::find_if(bases.rbegin(), bases.rend(), [&](const Line& one) {
      return baseline != nullptr ? one.key == line.key
                                 : one.key.name == kBaseMap && one.key.size == line.key.size;
    });
    return base == bases.rend() ? nullptr : &*base;
  });
  return result;
}

std::size_t count_methods(const MapLines& table) {
  std::set<std::string> methods;
  for (const Line& line : table.lines) methods.insert(line.key.method());
  return methods.size();
}

bool needs_panel_a_map(const MapLines& table) {
  std::set<std::string> maps;
  for (const Line& line : table.lines) maps.insert(line.key.name);
  return maps.size() > 1 && count_methods(table) > kMethodsInOnePanel;
}

// Arrangements of the lines of maps. Few methods: colours are tile sizes, dashes are methods; above three
// methods, each map has its own panel. Best tile sizes of few methods: colours are methods, in one panel. Of
// many methods: one panel per map and value of a factor; colours are the factor with most values, dashes the
// one with fewest; the bounding box, which has no factors, is in every panel.

/// Colours are tile sizes, dashes are methods.
void draw_tile_sizes(Figure& figure, Drawing& drawing, const MapLines& table) {
  const bool by_map = needs_panel_a_map(table);
  std::set<std::uint64_t> tile_sizes;
  for (const Line& line : table.lines) tile_sizes.insert(line.key.size);
  const bool any_joined = tile_sizes.erase(0) > 0;
  for (const std::uint64_t tile_size : tile_sizes) drawing.colours.push_back(fmt::format("{}", tile_size));
  for (const Line& line : table.lines) {
    // A map without variants (the bounding box) uses its name as its only variant.
    const std::string variant = line.key.variant();
    drawing.add(line,
                {by_map ? line.key.name : "", line.key.size == 0 ? "" : fmt::format("{}", line.key.size),
                 !by_map           ? line.key.method()
                 : variant.empty() ? line.key.name
                                   : variant});
  }
  figure.columns = figure.panels.size();
  figure.legend = {drawing.colour_legend("tile size ρ"), drawing.dash_legend(by_map ? "variant" : "map")};
  if (any_joined) figure.legend[0].items.push_back({"all sizes", kUniformStyle, 0});
}

/// One panel; colours are methods.
void draw_methods(Figure& figure, Drawing& drawing, const MapLines& table, const std::string& tile_sizes) {
  // Lines that are maps have the maps' colours.
  std::set<std::string> maps;
  for (const Line& line : table.lines) {
    const auto is_it = [&](MapKind map) { return name_of(map) == line.key.name; };
    if (std::ranges::any_of(kMapKinds, is_it)) maps.insert(line.key.name);
  }
  const bool lines_are_maps = maps.size() == table.lines.size();
  drawing.dash_by_colour = !lines_are_maps;
  for (const Line& line : table.lines) {
    if (lines_are_maps) drawing.styles.push_back(style_of(parse_map(line.key.name)));
    drawing.add(line, {.colour = line.key.method()});
  }
  figure.legend = {drawing.colour_legend("map, " + tile_sizes)};
}

std::set<std::string> values_of(const MapLines& table, std::size_t factor) {
  std::set<std::string> values;
  for (const Line& line : table.lines) values.insert(line.key.parts[factor]);
  values.erase("");
  return values;
}

/// One panel per map and combination of values of the factors that are neither colour nor dash.
void draw_grid(Figure& figure, Drawing& drawing, const MapLines& table, const std::string& tile_sizes) {
  std::vector<std::size_t> factors(table.factors.size());
  std::iota(factors.begin(), factors.end(), std::size_t{0});
  std::ranges::stable_sort(factors, std::greater<>(),
                           [&](std::size_t factor) { return values_of(table, factor).size(); });
  const std::size_t of_colour = factors.front();
  factors.erase(factors.begin());
  std::optional<std::size_t> of_dash;
  if (factors.size() > 1) {
    of_dash = factors.back();
    factors.pop_back();
  }
  std::map<std::string, std::size_t> panels_of_map;
  LegendSection reference{"reference"};
  for (const Line& line : table.lines) {
    if (line.key.variant().empty() && line.key.name == kBaseMap) {
      drawing.references.push_back(drawing.series(line, kUniformStyle, 0));
      reference.items.push_back({line.key.name, kUniformStyle, 0});
      continue;
    }
    Look look{line.key.name, line.key.parts[of_colour], of_dash ? line.key.parts[*of_dash] : ""};
    for (const std::size_t factor : factors) {
      if (!line.key.parts[factor].empty()) look.panel += ", " + line.key.parts[factor];
    }
    if (drawing.add(line, look)) ++panels_of_map[line.key.name];
  }
  for (const auto& [map, panels] : panels_of_map) figure.columns = std::max(figure.columns, panels);
  figure.columns = std::min(figure.columns, kMostColumns);
  // With one panel per map, all panels share a row; otherwise each map has a row of its own.
  if (figure.columns == 1) figure.columns = std::min(figure.panels.size(), kMostColumns);
  figure.legend = {{tile_sizes}, drawing.colour_legend(table.factors[of_colour])};
  if (of_dash) figure.legend.push_back(drawing.dash_legend(table.factors[*of_dash]));
  if (!reference.items.empty()) figure.legend.push_back(reference);
}

/// Replaces the names of maps in files and options by those of the window.
void name_maps(Figure& figure) {
  const auto replace = [](std::string& text) {
    for (const MapKind map : kMapKinds) {
      const std::size_t at = text.find(name_of(map));
      if (at != std::string::npos) text.replace(at, name_of(map).size(), label_of(map));
    }
  };
  for (Panel& panel : figure.panels) replace(panel.title);
  for (LegendSection& section : figure.legend) {
    for (LegendItem& item : section.items) replace(item.text);
  }
}

/// Whether there are too many lines for one look per method and tile size. Such a plot shows each method only
/// with its best tile size, in a grid of panels.
bool is_crowded(const MapLines& table) {
  const bool by_map = needs_panel_a_map(table);
  std::map<std::string, std::size_t> lines_of_panel;
  std::set<std::string> styles;
  for (const Line& line : table.lines) {
    ++lines_of_panel[by_map ? line.key.name : ""];
    styles.insert(by_map ? line.key.variant() : line.key.method());
  }
  const auto too_many = [](const auto& panel) { return panel.second > kLinesInOnePanel; };
  return styles.size() > kDashes || std::ranges::any_of(lines_of_panel, too_many);
}

/// s_x, computed from the width s_x^r of a level.
std::uint64_t scale_of(const Rows& rows) {
  for (const Row* row : rows) {
    const double level = row->number("level");
    if (level > 0)
      return static_cast<std::uint64_t>(std::llround(std::pow(row->number("width"), 1.0 / level)));
  }
  return 1;
}

/// The rows of a baseline for the fractal and workload of `one`. Other backends and numbers of devices are
/// what is compared.
Rows baseline_rows(const Baseline& baseline, Selection selection, const Row& one) {
  if (baseline.results.kind != bench::SweepKind::kMaps)
    throw InputError(
        fmt::format("{}: is a sweep of the Mandelbrot set; allowed: results of maps", baseline.name));
  for (const char* option : {"fractal", "workload"}) selection.values[option] = {one.text(option)};
  selection.values.erase("backend");
  selection.values.erase("devices");
  try {
    return select(baseline.results, selection);
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", baseline.name, error.what()));
  }
}

}  // namespace

void draw_maps(Figure& figure, const bench::Results& results, const Selection& selection,
               const Baseline* baseline) {
  const Quantity kind = figure.kind;
  if (kind != Quantity::kSpeedup) baseline = nullptr;
  const Rows rows = select(results, selection, kind == Quantity::kSpeedup && baseline == nullptr);
  check_devices(rows);
  const Row& first = *rows.front();
  Rows base;
  if (baseline != nullptr) base = baseline_rows(*baseline, selection, first);
  const auto table_of = [&](bool best) {
    MapLines table = map_lines(rows, kind, best, baseline != nullptr ? &base : nullptr);
    const auto maps = selection.values.find("map");
    if (maps != selection.values.end() && !maps->second.empty()) {
      std::erase_if(table.lines, [&](const Line& line) {
        return std::ranges::find(maps->second, line.key.name) == maps->second.end();
      });
    }
    return table;
  };
  MapLines table = table_of(selection.best);
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
  const auto other = [&](const Row* row) { return (*row)["block"] != first["block"]; };
  const std::string tile_sizes =
      std::ranges::any_of(rows, other) ? "best tile size" : "tile size " + first.text("block");
  const std::string base_name = baseline != nullptr ? baseline->name : "the bounding box";
  const QuantityText& text = text_of(kind);
  const auto words = [&](const char* format) {
    return fmt::format(fmt::runtime(format), base_name, baseline != nullptr ? "map and " : "");
  };
  figure.title =
      fmt::format("{}, {}: {}", first.text("fractal"), first.text("workload"), words(text.of_maps));
  figure.y_label = words(text.y_of_maps);
  if (best && kind == Quantity::kSpeedup) {
    figure.y_label = fmt::format("speedup over {}, {} each", base_name, tile_sizes);
  } else if (best) {
    figure.y_label += ", " + tile_sizes;
  }
  figure.scale = scale_of(rows);
  figure.x_label = x_label_of(figure.scale);
  figure.caption = caption_of(results, rows);
  Drawing drawing(figure, results);
  const bool many = count_methods(table) > kDashes && !table.factors.empty();
  !best  ? draw_tile_sizes(figure, drawing, table)
  : many ? draw_grid(figure, drawing, table, tile_sizes)
         : draw_methods(figure, drawing, table, tile_sizes);
  name_maps(figure);
}

}  // namespace loom::app::plot
