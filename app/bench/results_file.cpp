#include "app/bench/results_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <exception>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string_view>
#include <utility>

#include "app/bench/merge.h"
#include "app/bench/results_json.h"
#include "app/files/output_file.h"
#include "compute/core/input_text.h"
#include "compute/mandelbrot/mandelbrot_fields.h"
#include "compute/map/map_method.h"

namespace loom::app::bench {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds kWriteInterval{500};
constexpr int kTimesTheWriting = 20;
constexpr std::uint64_t kMaxBytes = std::uint64_t{1} << 30;  ///< enough for a million configurations

std::vector<NamedResults> read_parts(const std::vector<std::string>& files) {
  std::vector<NamedResults> parts;
  for (const std::string& file : files) parts.push_back({file, read_results(file)});
  return parts;
}

}  // namespace

Results read_results(const std::filesystem::path& file, const ProgressMonitor* watch) {
  const std::string text =
      read_input(file, kMaxBytes, "a results file of fractal-loom bench", [watch] { check_cancel(watch); });
  return parse_results(text, file.string(), watch);
}

Results read_merged(const std::vector<std::string>& files) {
  return merge(read_parts(files));
}

Results read_merged_over_ranks(const std::vector<std::string>& files) {
  return merge_over_ranks(read_parts(files));
}

ResultsFile::ResultsFile(const Results& results, std::optional<std::filesystem::path> json,
                         std::optional<std::filesystem::path> csv)
    : json_(std::move(json)), csv_(std::move(csv)) {
  write(results);
}

void ResultsFile::update(const Results& results) {
  has_all_ = false;
  if (Clock::now() >= next_write_) write(results);
}

void ResultsFile::finish(const Results& results) {
  write(results);
}

void ResultsFile::write(const Results& results) {
  const auto begin = Clock::now();
  std::exception_ptr failure;
  has_all_ = false;
  try {
    if (json_) {
      for (std::string& line : entry_lines(results, lines_.size())) lines_.push_back(std::move(line));
      write_file(*json_, document_text(results, lines_));
      has_all_ = true;
    }
  } catch (...) {
    failure = std::current_exception();
  }
  try {
    if (csv_) write_file(*csv_, csv_text(results));
  } catch (...) {
    if (!failure) failure = std::current_exception();
  }
  const auto end = Clock::now();
  next_write_ = end + std::max<Clock::duration>(kWriteInterval, kTimesTheWriting * (end - begin));
  if (failure) std::rethrow_exception(failure);
}

namespace {

using Json = nlohmann::ordered_json;

/// A column: the member of an entry's JSON that it shows, and how.
struct Column {
  std::string name;
  std::string object = {};  ///< the object or list that has the member; empty: the entry
  std::string member = {};
  bool is_setting = false;   ///< true and false are "on" and "off"
  std::string missing = {};  ///< shown where an entry lacks the member
};
using Columns = std::vector<Column>;

// The columns in their order, as NAME, NAME=MEMBER, NAME=OBJECT.MEMBER, each perhaps with ?MISSING; METHOD
// and CONFIG are the fields of the tables.
constexpr std::string_view kMapColumns =
    "fractal level width height cells METHOD workload reduction backend device repeat "
    "median_ms=step_ms.median "
    "min_ms=step_ms.min p95_ms=step_ms.p95 mean_ms=step_ms.mean noise=step_ms.noise samples=step_ms.samples "
    "generations_per_sample limited tiles_launched threads_launched threads_active bytes_held bytes_moved "
    "cells_per_second bytes_per_second skipped devices?1 shard";
constexpr std::string_view kMandelbrotColumns =
    "width height CONFIG backend device repeat median_ms=image_ms.median min_ms=image_ms.min "
    "p95_ms=image_ms.p95 "
    "mean_ms=image_ms.mean noise=image_ms.noise samples=image_ms.samples limited pixels computed_pixels "
    "filled_pixels work_reduction split_fraction bytes_held=bytes levels level_ms=levels.ms skipped "
    "re_min=window.re_min re_max=window.re_max im_min=window.im_min im_max=window.im_max mirrored_pixels "
    "axis_pixels level_width=levels.width level_height=levels.height level_regions=levels.regions "
    "level_filled=levels.filled level_leaves=levels.leaves level_splits=levels.splits "
    "level_split_fraction=levels.split_fraction level_children=levels.children "
    "level_border_pixels=levels.border_pixels level_leaf_pixels=levels.leaf_pixels "
    "level_filled_pixels=levels.filled_pixels launches devices?1 shard center_re=center.re "
    "center_im=center.im "
    "view_width reference_orbit_ms=reference.orbit_ms reference_table_ms=reference.table_ms "
    "reference_reused=reference.reused reference_length=reference.length reference_period=reference.period "
    "reference_steps=reference.steps reference_bits=reference.bits reference_digits=reference.digits "
    "reference_bytes=reference.bytes reference_uncertain=reference.uncertain "
    "reference_undecided=reference.undecided reference_exact_ms=reference.exact_ms recomputed_pixels";

Column column_of(std::string word) {
  Column column;
  const auto cut = [&](char mark) {
    const std::size_t at = word.find(mark);
    const std::string rest = at == std::string::npos ? "" : word.substr(at + 1);
    word.resize(std::min(at, word.size()));
    return rest;
  };
  column.missing = cut('?');
  column.member = cut('=');
  column.name = word;
  if (column.member.empty()) column.member = word;
  if (const std::size_t dot = column.member.find('.'); dot != std::string::npos) {
    column.object = column.member.substr(0, dot);
    column.member.erase(0, dot + 1);
  }
  return column;
}

Columns columns_of(std::string_view words) {
  Columns columns;
  const auto add_setting = [&](const FieldInfo& field) {
    const std::string key(field.key);
    columns.push_back({.name = key, .member = key, .is_setting = true});
  };
  std::istringstream text{std::string(words)};
  for (std::string word; text >> word;) {
    if (word == "METHOD") {
      for (const MethodField& field : method_fields()) {
        add_setting(field);
        if (field.option == "map") columns.push_back(column_of("block"));
      }
    } else if (word == "CONFIG") {
      std::ranges::for_each(mandelbrot_config_fields(), add_setting);
    } else {
      columns.push_back(column_of(word));
    }
  }
  return columns;
}

std::string value_text(const Json& value, bool is_setting) {
  if (value.is_null()) return "";
  if (value.is_string()) return csv_cell(value.get_ref<const std::string&>());
  if (value.is_number_float()) return fmt::format("{}", value.get<double>());
  if (value.is_array()) return fmt::format("{}", value.size());
  if (value.is_boolean() && is_setting) return value.get<bool>() ? "on" : "off";
  return value.dump();
}

std::string field_of(const Json& entry, const Column& column) {
  const auto in = [&](const Json& object) {
    const auto found = object.find(column.member);
    return found == object.end() ? column.missing : value_text(*found, column.is_setting);
  };
  if (column.object.empty()) return in(entry);
  const auto object = entry.find(column.object);
  if (object == entry.end()) return column.missing;
  if (!object->is_array()) return in(*object);
  std::vector<std::string> values;  // one per level
  for (const Json& one : *object) values.push_back(in(one));
  return fmt::format("{}", fmt::join(values, ";"));
}

template <typename ValueOf>
std::string row(const Columns& columns, ValueOf value_of) {
  std::vector<std::string> fields;
  for (const Column& column : columns) fields.push_back(value_of(column));
  return fmt::format("{}\r\n", fmt::join(fields, ","));
}

}  // namespace

std::string csv_text(const Results& results) {
  const Columns columns = columns_of(results.kind() == SweepKind::kMaps ? kMapColumns : kMandelbrotColumns);
  std::string text = row(columns, [](const Column& column) { return column.name; });
  results.for_each([&](const auto& entry) {
    const Json json = entry_json(entry);
    text += row(columns, [&](const Column& column) { return field_of(json, column); });
  });
  return text;
}

}  // namespace loom::app::bench
