#include "app/plot/figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "app/plot/arrangement.h"
#include "app/plot/figure_caption.h"
#include "app/plot/mandelbrot_selection.h"
#include "app/plot/series_table.h"
#include "compute/core/error.h"

namespace loom::app::plot {
namespace {

using Entry = bench::MapEntry;

bool is_selected(const Entry& entry, Kind kind, const Selection& selection) {
  // Ratios need the bounding box, whatever maps are to be drawn.
  const bool is_base = kind == Kind::kSpeedup && entry.map() == kBaseMap;
  // The bounding box has no arithmetic to choose by.
  const auto arithmetic = entry.part("arithmetic");
  return passes(selection.fractals, entry.fractal) && (is_base || passes(selection.maps, entry.map())) &&
         (!arithmetic || passes(selection.arithmetics, *arithmetic)) &&
         (!arithmetic || passes(selection.intra_blocks, entry.part("intra_block").value_or(""))) &&
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
  check_names(entries, selection.maps, "--map", [](const Entry& e) { return e.map(); });
  check_names(entries, selection.arithmetics, "--arithmetic",
              [](const Entry& e) { return e.part("arithmetic").value_or("none"); });
  check_names(entries, selection.intra_blocks, "--intra-block",
              [](const Entry& e) { return e.part("intra_block").value_or("none"); });
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
  check_selection(results.maps(), selection);
  for (const Entry& entry : results.maps()) {
    if (entry.measured && is_selected(entry, kind, selection)) entries.push_back(&entry);
  }
  if (entries.empty()) {
    throw InputError(
        fmt::format("the results hold no measured configuration of this selection ({} entries in all); "
                    "allowed: a wider selection",
                    results.maps().size()));
  }
  check_single(entries, "--fractal", [](const Entry& e) { return e.fractal; });
  check_single(entries, "--workload", [](const Entry& e) { return e.workload; });
  check_single(entries, "--backend", [](const Entry& e) { return e.backend; });
  return entries;
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

/// Which block sizes lines have that were joined to the best of them.
std::string blocks_text(const std::vector<const Entry*>& entries) {
  const auto other = [&](const Entry* entry) { return entry->block != entries.front()->block; };
  if (std::any_of(entries.begin(), entries.end(), other)) return "best block size";
  return fmt::format("block size {}", entries.front()->block);
}

std::string best_y_label(Kind kind, const std::string& blocks) {
  if (kind == Kind::kSpeedup) return fmt::format("times as fast as the bounding box, {} each", blocks);
  return fmt::format("{}, {}", y_label_of(kind), blocks);
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
  throw InputError(fmt::format(
      "unknown kind '{}'; allowed: speedup, time, memory, efficiency, and landscape of the Mandelbrot set",
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
  }
  return subjects;
}

Figure make_figure(const bench::Results& results, Kind kind, const Selection& selection) {
  const auto entries = select(results, kind, selection);
  const auto table_of = [&](bool best) {
    LineTable table = make_lines(entries, kind, best);
    std::erase_if(table.lines, [&](const Line& line) { return !passes(selection.maps, line.key.map); });
    return table;
  };
  LineTable table = table_of(selection.best);
  if (table.lines.empty()) {
    throw InputError(kind == Kind::kSpeedup
                         ? "the results hold no other map beside a bounding box of the same level and block "
                           "size; allowed: the "
                           "kinds time, memory, efficiency"
                         : "the results hold no value above 0 of this kind; allowed: another kind");
  }
  const bool best = selection.best || is_crowded(table);
  if (best && !selection.best) table = table_of(true);
  Figure figure;
  figure.kind = kind;
  figure.title = title_of(kind, *entries.front());
  figure.scale = scale_of(entries);
  figure.x_label = figure.scale > 1 ? fmt::format("level r, side n = {}ʳ", figure.scale) : "level r";
  const std::string blocks = blocks_text(entries);
  figure.y_label = best ? best_y_label(kind, blocks) : y_label_of(kind);
  Arrangement arrangement = arrange(table, best, results, blocks);
  figure.panels = std::move(arrangement.panels);
  figure.columns = arrangement.columns;
  figure.legend = std::move(arrangement.legend);
  figure.caption = caption_of(results, entries);
  return figure;
}

FigureFormat format_of(std::string_view file) {
  if (file.ends_with(".svg")) return FigureFormat::kSvg;
  if (file.ends_with(".pdf")) return FigureFormat::kPdf;
  if (file.ends_with(".png")) return FigureFormat::kPng;
  throw InputError(fmt::format("{}: the ending names no figure format; allowed: .svg, .pdf, .png", file));
}

}  // namespace loom::app::plot
