#include "app/plot/figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "app/plot/arrangement.h"
#include "app/plot/diagram_file.h"
#include "app/plot/mandelbrot_figure.h"
#include "app/plot/series_table.h"
#include "compute/core/error.h"

namespace loom::app::plot {
namespace {

using Entry = bench::MapEntry;

std::string title_of(Quantity kind, const Entry& entry) {
  switch (kind) {
    case Quantity::kSpeedup:
      return fmt::format("{}, {}: speedup over the bounding box", entry.fractal, entry.workload);
    case Quantity::kTime:
      return fmt::format("{}, {}: time per generation", entry.fractal, entry.workload);
    case Quantity::kMemory:
      return fmt::format("{}, {}: memory for cells", entry.fractal, entry.workload);
    case Quantity::kUtilization:
      return fmt::format("{}, {}: thread utilization", entry.fractal, entry.workload);
  }
  return entry.fractal;
}

std::string y_label_of(Quantity kind) {
  switch (kind) {
    case Quantity::kSpeedup:
      return "speedup over the bounding box, same tile size";
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

std::string best_y_label(Quantity kind, const std::string& tile_sizes) {
  if (kind == Quantity::kSpeedup) return fmt::format("speedup over the bounding box, {} each", tile_sizes);
  return fmt::format("{}, {}", y_label_of(kind), tile_sizes);
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
  if (name == "efficiency") return Quantity::kUtilization;  // its earlier name
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

Figure make_figure(const bench::Results& results, Quantity kind, const Selection& selection) {
  const auto entries = select(results, selection, kind == Quantity::kSpeedup);
  check_devices(entries);
  const auto table_of = [&](bool best) {
    LineTable table = make_lines(entries, kind, best);
    std::erase_if(table.lines, [&](const Line& line) { return !passes(selection.maps, line.key.map); });
    return table;
  };
  LineTable table = table_of(selection.best);
  if (table.lines.empty()) {
    throw InputError(kind == Quantity::kSpeedup
                         ? "the results contain no other map with a bounding box of the same level and tile "
                           "size; allowed: the kinds time, memory, utilization"
                         : "the results contain no value above 0 of this kind; allowed: another kind");
  }
  const bool best = selection.best || is_crowded(table);
  if (best && !selection.best) table = table_of(true);
  Figure figure;
  figure.kind = kind;
  figure.title = title_of(kind, *entries.front());
  figure.scale = scale_of(entries);
  figure.x_label = figure.scale > 1 ? fmt::format("level r, side n = {}ʳ", figure.scale) : "level r";
  const std::string tile_sizes = tile_sizes_text(entries);
  figure.y_label = best ? best_y_label(kind, tile_sizes) : y_label_of(kind);
  Arrangement arrangement = arrange(table, best, results, tile_sizes);
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
  throw InputError(fmt::format("{}: unknown file format; allowed: .svg, .pdf, .png", file));
}

}  // namespace loom::app::plot
