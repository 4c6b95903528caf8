#include "app/bench/results_csv.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>
#include <vector>

#include "compute/mandelbrot/mandelbrot_fields.h"
#include "compute/map/method_fields.h"

namespace loom::app::bench {
namespace {

/// The fields of a row.
using Row = std::vector<std::string>;

std::string field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + '"';
}

template <typename... Values>
void append(Row& row, const Values&... values) {
  (row.push_back(fmt::format("{}", values)), ...);
}

std::string optional_text(const std::optional<double>& value) {
  return value ? fmt::format("{}", *value) : std::string();
}

void append_timing(Row& row, const Timing& timing) {
  const Summary& ms = timing.milliseconds;
  append(row, ms.median, ms.min, ms.p95, ms.mean, optional_text(ms.noise), ms.samples);
}

void append_origin(Row& row, const EntryOrigin& origin) {
  append(row, origin.devices, origin.shard == 0 ? std::string() : fmt::format("{}", origin.shard));
}

/// Appends the columns of a method. The tile size follows the map, as in JSON.
void append_method_names(Row& row) {
  for (const MethodField& one : method_fields()) {
    append(row, one.key);
    if (one.option == "map") append(row, "block");
  }
}

Row header_of(const std::vector<MapEntry>&) {
  Row row = {"fractal", "level", "width", "height", "cells"};
  append_method_names(row);
  append(row, "workload", "reduction", "backend", "device", "repeat", "median_ms", "min_ms", "p95_ms",
         "mean_ms", "noise", "samples", "generations_per_sample", "limited", "tiles_launched",
         "threads_launched", "threads_active", "bytes_held", "bytes_moved", "cells_per_second",
         "bytes_per_second", "skipped", "devices", "shard");
  return row;
}

Row row_of(const MapEntry& entry) {
  Row row;
  append(row, field(entry.fractal), entry.level, entry.width, entry.height, entry.cells);
  for (const MethodField& one : method_fields()) {
    append(row, field(entry.part(one.key).value_or("")));
    if (one.option == "map") append(row, entry.tile_size);
  }
  append(row, field(entry.workload), field(entry.reduction.value_or("")), field(entry.backend), entry.device,
         entry.repeat);
  if (const auto& measured = entry.measured) {
    append_timing(row, *measured);
    append(row, measured->generations_per_sample, measured->limited, measured->tiles_launched,
           measured->threads_launched, measured->threads_active, measured->allocated_bytes,
           measured->bytes_moved, cells_per_second(entry), bytes_per_second(entry));
  } else {
    row.resize(row.size() + 15);
  }
  append(row, field(entry.skipped));
  append_origin(row, entry);
  return row;
}

Row header_of(const std::vector<MandelbrotEntry>&) {
  Row row = {"width", "height"};
  for (const FieldInfo& one : mandelbrot_config_fields()) append(row, one.key);
  append(row, "backend", "device", "repeat", "median_ms", "min_ms", "p95_ms", "mean_ms", "noise", "samples",
         "limited", "pixels", "computed_pixels", "filled_pixels", "work_reduction", "split_fraction",
         "bytes_held", "levels", "level_ms", "skipped", "re_min", "re_max", "im_min", "im_max",
         "mirrored_pixels", "axis_pixels", "level_width", "level_height", "level_regions", "level_filled",
         "level_leaves", "level_splits", "level_split_fraction", "level_children", "level_border_pixels",
         "level_leaf_pixels", "level_filled_pixels", "launches", "devices", "shard");
  return row;
}

Row row_of(const MandelbrotEntry& entry) {
  Row row;
  append(row, entry.view.width, entry.view.height);
  for (const auto& one : mandelbrot_config_fields()) append(row, field(one.text(entry.config).value_or("")));
  append(row, entry.backend, entry.device, entry.repeat);
  if (const auto& measured = entry.measured) {
    const MandelbrotReport& report = measured->report;
    std::vector<std::string> level_ms;
    for (const MandelbrotLevel& level : report.levels) level_ms.push_back(optional_text(level.milliseconds));
    append_timing(row, *measured);
    append(row, measured->limited, report.pixels, report.computed_pixels(), filled_pixels(report),
           report.work_reduction(), optional_text(split_fraction(report)), report.allocated_bytes,
           report.levels.size(), fmt::format("{}", fmt::join(level_ms, ";")));
  } else {
    row.resize(row.size() + 15);
  }
  append(row, field(entry.skipped), entry.view.window.re_min, entry.view.window.re_max,
         entry.view.window.im_min, entry.view.window.im_max);
  if (!entry.measured) {
    row.resize(row.size() + 14);
    append_origin(row, entry);
    return row;
  }
  const MandelbrotReport& report = entry.measured->report;
  append(row, report.mirrored_pixels, report.axis_pixels);
  // One value per level, separated as in level_ms.
  const auto levels = [&](auto&& value) {
    std::vector<std::string> all;
    for (const MandelbrotLevel& level : report.levels) all.push_back(fmt::format("{}", value(level)));
    append(row, fmt::format("{}", fmt::join(all, ";")));
  };
  levels([](const MandelbrotLevel& level) { return level.width; });
  levels([](const MandelbrotLevel& level) { return level.height; });
  levels([](const MandelbrotLevel& level) { return level.regions; });
  levels([](const MandelbrotLevel& level) { return level.filled; });
  levels([](const MandelbrotLevel& level) { return level.leaves; });
  levels([](const MandelbrotLevel& level) { return level.splits; });
  levels([](const MandelbrotLevel& level) { return level.split_fraction(); });
  levels([](const MandelbrotLevel& level) { return level.children; });
  levels([](const MandelbrotLevel& level) { return level.border_pixels; });
  levels([](const MandelbrotLevel& level) { return level.leaf_pixels; });
  levels([](const MandelbrotLevel& level) { return level.filled_pixels; });
  append(row, report.launches);
  append_origin(row, entry);
  return row;
}

}  // namespace

std::string csv_text(const Results& results) {
  return std::visit(
      [](const auto& entries) {
        std::string text = fmt::format("{}\r\n", fmt::join(header_of(entries), ","));
        for (const auto& entry : entries) text += fmt::format("{}\r\n", fmt::join(row_of(entry), ","));
        return text;
      },
      results.entries);
}

}  // namespace loom::app::bench
