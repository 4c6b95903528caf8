#include "app/plot/series_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>

#include "app/bench/sampler.h"
#include "app/plot/mandelbrot_figure.h"
#include "compute/core/error.h"
#include "compute/engine/thread_count.h"

namespace loom::app::plot {
namespace {

using Entry = bench::MapEntry;

/// Sort key of a map: the order of the papers, then unknown maps.
int rank_of(const std::string& map) {
  if (map == kBaseMap) return 0;
  if (map == "lambda") return 1;
  return map == "compact" ? 2 : 3;
}

bool comes_before(const Line& a, const Line& b) {
  return std::make_tuple(rank_of(a.key.map), a.key.map, a.key.parts, a.key.tile_size) <
         std::make_tuple(rank_of(b.key.map), b.key.map, b.key.parts, b.key.tile_size);
}

bool is_timed(Quantity kind) {
  return kind == Quantity::kTime || kind == Quantity::kSpeedup;
}

bool is_not_memory(Quantity kind) {
  return kind != Quantity::kMemory;
}

/// A parameter in which methods differ. Lines that differ only in parameters without influence on the
/// quantity are joined.
struct Factor {
  const char* name;
  bool (*matters)(Quantity kind);
  std::optional<std::string> (*value)(const Entry& entry);  ///< empty if the map does not have it
};

constexpr std::array kFactors = {
    Factor{"arithmetic", is_timed, [](const Entry& entry) { return entry.part("arithmetic"); }},
    Factor{"intra-block", is_not_memory,
           [](const Entry& entry) {
             return entry.part("arithmetic") ? entry.part("intra_block") : std::nullopt;
           }},
    Factor{"halo", is_timed,
           [](const Entry& entry) {
             const auto halo = entry.part("halo");
             return halo ? std::optional<std::string>(*halo == "on" ? "halo" : "no halo") : std::nullopt;
           }},
    Factor{"reduction", is_timed, [](const Entry& entry) { return entry.reduction; }},
};

/// The factors that influence the quantity and have several values.
std::vector<const Factor*> varying_factors(const std::vector<const Entry*>& entries, Quantity kind) {
  std::vector<const Factor*> varying;
  for (const Factor& factor : kFactors) {
    std::set<std::string> values;
    for (const Entry* entry : entries) {
      if (const auto value = factor.value(*entry)) values.insert(*value);
    }
    if (factor.matters(kind) && values.size() > 1) varying.push_back(&factor);
  }
  return varying;
}

std::vector<std::string> parts_of(const Entry& entry, const std::vector<const Factor*>& factors) {
  std::vector<std::string> parts;
  for (const Factor* factor : factors) parts.push_back(factor->value(entry).value_or(""));
  return parts;
}

double value_of(const Entry& entry, Quantity kind) {
  const bench::MapResult& measured = *entry.measured;
  switch (kind) {
    case Quantity::kMemory:
      return static_cast<double>(measured.allocated_bytes);
    case Quantity::kUtilization:
      return thread_utilization(measured.threads_active, measured.threads_launched);
    case Quantity::kSpeedup:
    case Quantity::kTime:
      break;
  }
  return measured.milliseconds.median;
}

/// The median of the values of entries, with the entry nearest to it.
LineValue median_of(const std::vector<const Entry*>& entries, Quantity kind) {
  std::vector<double> values;
  for (const Entry* entry : entries) values.push_back(value_of(*entry, kind));
  const double median = bench::summarise(values).median;
  const auto distance = [&](const Entry* entry) { return std::abs(value_of(*entry, kind) - median); };
  const auto nearest = std::min_element(entries.begin(), entries.end(), [&](const Entry* a, const Entry* b) {
    return distance(a) < distance(b);
  });
  return {median, *nearest};
}

/// All lines, with the median of the repeats at each level.
std::vector<Line> collect(const std::vector<const Entry*>& entries, const std::vector<const Factor*>& factors,
                          Quantity kind) {
  using Key = std::tuple<std::string, std::vector<std::string>, std::uint32_t>;
  std::map<Key, std::map<int, std::vector<const Entry*>>> groups;
  for (const Entry* entry : entries) {
    groups[{entry->map(), parts_of(*entry, factors), entry->tile_size}][entry->level].push_back(entry);
  }
  std::vector<Line> lines;
  for (const auto& [key, levels] : groups) {
    Line line{{std::get<0>(key), std::get<1>(key), std::get<2>(key)}, {}};
    for (const auto& [level, group] : levels) {
      const LineValue value = median_of(group, kind);
      if (value.value > 0) line.values[level] = value;
    }
    lines.push_back(std::move(line));
  }
  std::sort(lines.begin(), lines.end(), comes_before);
  return lines;
}

bool same_method(const Line& a, const Line& b) {
  return a.key.map == b.key.map && a.key.parts == b.key.parts;
}

bool same_values(const Line& a, const Line& b) {
  return std::equal(
      a.values.begin(), a.values.end(), b.values.begin(), b.values.end(),
      [](const auto& x, const auto& y) { return x.first == y.first && x.second.value == y.second.value; });
}

/// Joins the lines of each method. `join` combines two values of a level.
template <typename Join>
std::vector<Line> join_tile_sizes(const std::vector<Line>& lines, Join&& join) {
  std::vector<Line> joined;
  for (const Line& line : lines) {
    if (joined.empty() || !same_method(joined.back(), line)) {
      joined.push_back({{line.key.map, line.key.parts, 0}, {}});
    }
    for (const auto& [level, value] : line.values) {
      const auto [at, is_new] = joined.back().values.emplace(level, value);
      if (!is_new) at->second = join(at->second, value);
    }
  }
  return joined;
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
    const bool same = !result.empty() && line.key.tile_size == 0 && result.back().key.tile_size == 0 &&
                      line.key.variant().empty() && result.back().key.variant().empty() &&
                      same_values(result.back(), line);
    if (same) {
      result.back().key.map += " and " + line.key.map;
    } else {
      result.push_back(std::move(line));
    }
  }
  return result;
}

/// Converts times to speedups over the same lines of a baseline.
std::vector<Line> ratios_to(const std::vector<Line>& times, const std::vector<Line>& baseline) {
  std::vector<Line> lines;
  for (const Line& line : times) {
    const auto base = std::ranges::find(baseline, line.key, &Line::key);
    if (base == baseline.end()) continue;
    Line ratio{line.key, {}};
    for (const auto& [level, ms] : line.values) {
      const auto before = base->values.find(level);
      if (before != base->values.end()) ratio.values[level] = {before->second.value / ms.value, ms.entry};
    }
    if (!ratio.values.empty()) lines.push_back(std::move(ratio));
  }
  return lines;
}

/// Converts times to speedups over the bounding box at the same tile size and level.
std::vector<Line> ratios(const std::vector<Line>& times) {
  std::map<std::pair<std::uint32_t, int>, double> base;
  for (const Line& line : times) {
    if (line.key.map != kBaseMap) continue;
    for (const auto& [level, ms] : line.values) base[{line.key.tile_size, level}] = ms.value;
  }
  std::vector<Line> lines;
  for (const Line& line : times) {
    if (line.key.map == kBaseMap) continue;
    Line ratio{line.key, {}};
    for (const auto& [level, ms] : line.values) {
      const auto box = base.find({line.key.tile_size, level});
      if (box != base.end()) ratio.values[level] = {box->second / ms.value, ms.entry};
    }
    if (!ratio.values.empty()) lines.push_back(std::move(ratio));
  }
  return lines;
}

}  // namespace

std::string LineKey::variant() const {
  std::string text;
  for (const std::string& part : parts) {
    if (!part.empty()) text += (text.empty() ? "" : ", ") + part;
  }
  return text;
}

std::string LineKey::method() const {
  const std::string rest = variant();
  return rest.empty() ? map : map + ", " + rest;
}

LineTable make_lines(const std::vector<const Entry*>& entries, Quantity kind, bool best,
                     const std::vector<const Entry*>* baseline) {
  std::vector<const Entry*> all = entries;
  if (baseline != nullptr) all.insert(all.end(), baseline->begin(), baseline->end());
  const auto factors = varying_factors(all, kind);
  LineTable table;
  for (const Factor* factor : factors) table.factors.emplace_back(factor->name);
  const auto lines_of = [&](const std::vector<const Entry*>& of) {
    std::vector<Line> lines = collect(of, factors, kind);
    if (!best) return lines;
    const bool higher_is_better = kind == Quantity::kUtilization;
    return join_tile_sizes(lines, [&](const LineValue& a, const LineValue& b) {
      return (a.value < b.value) == higher_is_better ? b : a;
    });
  };
  const std::vector<Line> lines = lines_of(entries);
  if (kind == Quantity::kSpeedup) {
    table.lines = baseline != nullptr ? ratios_to(lines, lines_of(*baseline)) : ratios(lines);
  } else {
    table.lines = kind == Quantity::kTime ? lines : join_maps(join_equal(lines));
  }
  return table;
}

namespace {

using Entry = bench::MapEntry;

bool is_selected(const Entry& entry, const Selection& selection, bool with_base) {
  // Ratios require the bounding box even if it is not selected.
  const bool is_base = with_base && entry.map() == kBaseMap;
  // The bounding box has no arithmetic, so filters on arithmetic do not apply to it.
  const auto arithmetic = entry.part("arithmetic");
  return passes(selection.fractals, entry.fractal) && (is_base || passes(selection.maps, entry.map())) &&
         (!arithmetic || passes(selection.arithmetics, *arithmetic)) &&
         (!arithmetic || passes(selection.intra_blocks, entry.part("intra_block").value_or(""))) &&
         passes(selection.workloads, entry.workload) && passes(selection.backends, entry.backend) &&
         passes(selection.tile_sizes, entry.tile_size) && passes(selection.levels, entry.level) &&
         passes(selection.devices, entry.devices);
}

/// Throws if the selection names a value that no entry has.
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
  check_names(entries, selection.maps, "--map", [](const Entry& e) { return e.map(); });
  check_names(entries, selection.arithmetics, "--arithmetic",
              [](const Entry& e) { return e.part("arithmetic").value_or("none"); });
  check_names(entries, selection.intra_blocks, "--intra-block",
              [](const Entry& e) { return e.part("intra_block").value_or("none"); });
  check_names(entries, selection.workloads, "--workload", [](const Entry& e) { return e.workload; });
  check_names(entries, selection.backends, "--backend", [](const Entry& e) { return e.backend; });
  check_names(entries, selection.tile_sizes, "--block", [](const Entry& e) { return e.tile_size; });
  check_names(entries, selection.levels, "--level", [](const Entry& e) { return e.level; });
  check_names(entries, selection.devices, "--devices", [](const Entry& e) { return e.devices; });
}

template <typename Get>
void check_single(const std::vector<const Entry*>& entries, std::string_view option, Get get) {
  std::set<std::string> have;
  for (const Entry* entry : entries) have.insert(get(*entry));
  if (have.size() > 1) {
    throw InputError(fmt::format("the results contain more than one {}; allowed: {} with one of {}",
                                 option.substr(2), option, fmt::join(have, ", ")));
  }
}

/// Selects life if no workload is selected: a plot shows one workload, and the sweeps of the papers have
/// three. The caption names it.
void draw_life(std::vector<const Entry*>& entries, const Selection& selection) {
  const auto is_life = [](const Entry* entry) { return entry->workload == "life"; };
  if (selection.workloads.empty() && std::ranges::any_of(entries, is_life)) {
    std::erase_if(entries, std::not_fn(is_life));
  }
}

}  // namespace

std::vector<const Entry*> select(const bench::Results& results, const Selection& selection, bool with_base) {
  std::vector<Entry const*> entries;
  check_selection(results.maps(), selection);
  for (const Entry& entry : results.maps()) {
    if (entry.measured && is_selected(entry, selection, with_base)) entries.push_back(&entry);
  }
  if (entries.empty()) {
    throw InputError(
        fmt::format("the results contain no measured configuration of this selection ({} entries in total); "
                    "allowed: a wider selection",
                    results.maps().size()));
  }
  draw_life(entries, selection);
  check_single(entries, "--fractal", [](const Entry& e) { return e.fractal; });
  check_single(entries, "--workload", [](const Entry& e) { return e.workload; });
  check_single(entries, "--backend", [](const Entry& e) { return e.backend; });
  return entries;
}

void check_devices(const std::vector<const Entry*>& entries) {
  check_single(entries, "--devices", [](const Entry& e) { return fmt::format("{}", e.devices); });
}

}  // namespace loom::app::plot
