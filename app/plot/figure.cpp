#include "app/plot/figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "app/plot/caption.h"
#include "app/plot/series_table.h"
#include "app/plot/style.h"
#include "compute/core/error.h"

namespace loom::app::plot {
namespace {

using bench::Entry;
constexpr std::array kKinds = {Kind::kSpeedup, Kind::kTime, Kind::kMemory, Kind::kEfficiency};
/// With more methods than this in one pair of axes, each map gets its own.
constexpr std::size_t kMethodsInOnePanel = 3;

template <typename Value>
bool passes(const std::vector<Value>& wanted, const Value& value) {
  return wanted.empty() || std::find(wanted.begin(), wanted.end(), value) != wanted.end();
}

bool is_selected(const Entry& entry, Kind kind, const Selection& selection) {
  // Ratios need the bounding box, whatever maps are to be drawn.
  const bool is_base = kind == Kind::kSpeedup && entry.map == "bounding-box";
  // The bounding box has no arithmetic to choose by.
  const bool has_method = entry.arithmetic.has_value();
  return passes(selection.fractals, entry.fractal) && (is_base || passes(selection.maps, entry.map)) &&
         (!has_method || passes(selection.arithmetics, *entry.arithmetic)) &&
         (!has_method || passes(selection.intra_blocks, entry.intra_block)) &&
         passes(selection.workloads, entry.workload) && passes(selection.backends, entry.backend) &&
         passes(selection.blocks, entry.block);
}

/// A name in the selection that no entry has is a mistake, not an empty picture.
template <typename Value, typename Get>
void check_names(const std::vector<Entry>& entries, const std::vector<Value>& wanted, std::string_view option,
                 Get get) {
  std::set<Value> have;
  for (const Entry& entry : entries) have.insert(get(entry));
  for (const Value& value : wanted) {
    if (!have.contains(value)) {
      throw InputError(
          fmt::format("{} '{}' is not in the results; allowed: {}", option, value, fmt::join(have, ", ")));
    }
  }
}

void check_selection(const std::vector<Entry>& entries, const Selection& selection) {
  check_names(entries, selection.fractals, "--fractal", [](const Entry& e) { return e.fractal; });
  check_names(entries, selection.maps, "--map", [](const Entry& e) { return e.map; });
  check_names(entries, selection.arithmetics, "--arithmetic",
              [](const Entry& e) { return e.arithmetic.value_or("none"); });
  check_names(entries, selection.intra_blocks, "--intra-block", [](const Entry& e) { return e.intra_block; });
  check_names(entries, selection.workloads, "--workload", [](const Entry& e) { return e.workload; });
  check_names(entries, selection.backends, "--backend", [](const Entry& e) { return e.backend; });
  check_names(entries, selection.blocks, "--block", [](const Entry& e) { return e.block; });
}

template <typename Get>
void check_single(const std::vector<const Entry*>& entries, std::string_view option, Get get) {
  std::set<std::string> have;
  for (const Entry* entry : entries) have.insert(get(*entry));
  if (have.size() > 1) {
    throw InputError(fmt::format("the results hold more than one {}; allowed: {} with one of {}",
                                 option.substr(2), option, fmt::join(have, ", ")));
  }
}

std::vector<const Entry*> select(const bench::Results& results, Kind kind, const Selection& selection) {
  std::vector<Entry const*> entries;
  check_selection(results.entries, selection);
  for (const Entry& entry : results.entries) {
    if (entry.measured && is_selected(entry, kind, selection)) entries.push_back(&entry);
  }
  if (entries.empty()) {
    throw InputError(
        fmt::format("the results hold no measured configuration of this selection ({} entries in all); "
                    "allowed: a wider selection",
                    results.entries.size()));
  }
  check_single(entries, "--fractal", [](const Entry& e) { return e.fractal; });
  check_single(entries, "--workload", [](const Entry& e) { return e.workload; });
  check_single(entries, "--backend", [](const Entry& e) { return e.backend; });
  return entries;
}

/// The place of a value in a list of the values seen, which it joins.
template <typename Value>
std::size_t place_in(std::vector<Value>& seen, const Value& value) {
  const auto found = std::find(seen.begin(), seen.end(), value);
  if (found != seen.end()) return static_cast<std::size_t>(found - seen.begin());
  seen.push_back(value);
  return seen.size() - 1;
}

/// Gives lines their looks and tells the legend what they mean: colours are block sizes and dashes methods,
/// or, with one line a method, colours methods.
class Styler {
 public:
  Styler(const std::vector<Line>& lines, bool panels, bool best) : by_panel_(panels), best_(best) {
    for (const Line& line : lines) blocks_.insert(line.key.block);
    blocks_.erase(0);
    for (const Line& line : lines) {
      // A map without variants (the bounding box) is drawn as the first of them.
      place_in(methods_, name_of_line(line.key));
      any_joined_ = any_joined_ || line.key.block == 0;
    }
    if (!best_ && methods_.size() > kDashes) {
      throw InputError(
          fmt::format("{} methods are too many lines for one figure; allowed: up to {}, chosen with --map, "
                      "--arithmetic, --intra-block, or --best",
                      methods_.size(), kDashes));
    }
  }

  Series series(const Line& line) {
    Series series;
    const std::size_t method = place_in(methods_, name_of_line(line.key));
    series.colour = best_ ? method : block_colour(line.key.block);
    series.dash = best_ ? method / kColours : method;
    for (const auto& [level, value] : line.values) series.points.push_back({level, value});
    return series;
  }

  std::vector<LegendSection> legend() const {
    std::vector<LegendSection> sections;
    if (best_) {
      LegendSection section{"method, best block size", {}};
      for (std::size_t i = 0; i < methods_.size(); ++i)
        section.items.push_back({methods_[i], i, i / kColours});
      return {section};
    }
    LegendSection blocks{"block size ρ", {}};
    for (std::uint32_t block : blocks_)
      blocks.items.push_back({fmt::format("{}", block), block_colour(block), 0});
    if (any_joined_) blocks.items.push_back({"all alike", block_colour(0), 0});
    sections.push_back(blocks);
    LegendSection methods{by_panel_ ? "variant" : "map", {}};
    for (std::size_t i = 0; i < methods_.size(); ++i) methods.items.push_back({methods_[i], std::nullopt, i});
    sections.push_back(methods);
    return sections;
  }

 private:
  std::string name_of_line(const LineKey& key) const {
    if (!by_panel_ || best_) return key.method();
    return key.variant.empty() ? key.map : key.variant;
  }

  std::size_t block_colour(std::uint32_t block) const {
    if (block == 0) return kAllAlike;
    return static_cast<std::size_t>(std::distance(blocks_.begin(), blocks_.find(block)));
  }

  bool by_panel_;
  bool best_;
  bool any_joined_ = false;
  std::set<std::uint32_t> blocks_;
  std::vector<std::string> methods_;
};

bool needs_panels(const std::vector<Line>& lines) {
  std::set<std::string> methods;
  std::set<std::string> maps;
  for (const Line& line : lines) {
    methods.insert(line.key.method());
    maps.insert(line.key.map);
  }
  return methods.size() > kMethodsInOnePanel && maps.size() > 1;
}

std::vector<Panel> make_panels(const std::vector<Line>& lines, Styler& styler, bool by_map) {
  std::vector<Panel> panels;
  for (const Line& line : lines) {
    const std::string title = by_map ? line.key.map : "";
    if (panels.empty() || panels.back().title != title) panels.push_back({title, {}});
    panels.back().series.push_back(styler.series(line));
  }
  return panels;
}

std::string title_of(Kind kind, const Entry& entry) {
  switch (kind) {
    case Kind::kSpeedup:
      return fmt::format("{}, {}: speedup over the bounding box", entry.fractal, entry.workload);
    case Kind::kTime:
      return fmt::format("{}, {}: time of a generation", entry.fractal, entry.workload);
    case Kind::kMemory:
      return fmt::format("{}, {}: memory held for cells", entry.fractal, entry.workload);
    case Kind::kEfficiency:
      return fmt::format("{}, {}: launched threads that have a cell", entry.fractal, entry.workload);
  }
  return entry.fractal;
}

std::string y_label_of(Kind kind) {
  switch (kind) {
    case Kind::kSpeedup:
      return "times as fast as the bounding box, same block size";
    case Kind::kTime:
      return "milliseconds, median";
    case Kind::kMemory:
      return "bytes, both generations";
    case Kind::kEfficiency:
      return "share of threads with a cell";
  }
  return "";
}

/// s_x from the width of a level, s_x^r.
std::uint64_t scale_of(const std::vector<const Entry*>& entries) {
  for (const Entry* entry : entries) {
    if (entry->level > 0) {
      return static_cast<std::uint64_t>(
          std::llround(std::pow(static_cast<double>(entry->width), 1.0 / entry->level)));
    }
  }
  return 1;
}

}  // namespace

std::string_view name_of(Kind kind) {
  switch (kind) {
    case Kind::kSpeedup:
      return "speedup";
    case Kind::kTime:
      return "time";
    case Kind::kMemory:
      return "memory";
    case Kind::kEfficiency:
      return "efficiency";
  }
  return "unknown";
}

Kind parse_kind(std::string_view name) {
  for (Kind kind : kKinds) {
    if (name_of(kind) == name) return kind;
  }
  throw InputError(fmt::format("unknown kind '{}'; allowed: speedup, time, memory, efficiency", name));
}

Figure make_figure(const bench::Results& results, Kind kind, const Selection& selection) {
  const auto entries = select(results, kind, selection);
  std::vector<Line> lines = make_lines(entries, kind, selection.best);
  std::erase_if(lines, [&](const Line& line) { return !passes(selection.maps, line.key.map); });
  if (lines.empty()) {
    throw InputError(kind == Kind::kSpeedup
                         ? "the results hold no other map beside a bounding box of the same level and block "
                           "size; allowed: the "
                           "kinds time, memory, efficiency"
                         : "the results hold no value above 0 of this kind; allowed: another kind");
  }
  Figure figure;
  figure.kind = kind;
  figure.title = title_of(kind, *entries.front());
  figure.scale = scale_of(entries);
  figure.x_label = figure.scale > 1 ? fmt::format("level r, side n = {}ʳ", figure.scale) : "level r";
  figure.y_label = selection.best && kind == Kind::kSpeedup
                       ? "times as fast as the bounding box, best block size each"
                       : y_label_of(kind);
  const bool by_map = !selection.best && needs_panels(lines);
  Styler styler(lines, by_map, selection.best);
  figure.panels = make_panels(lines, styler, by_map);
  figure.legend = styler.legend();
  figure.caption = caption_of(results, entries);
  return figure;
}

}  // namespace loom::app::plot
