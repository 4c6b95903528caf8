#include "app/bench/results_csv.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <initializer_list>
#include <nlohmann/json.hpp>
#include <span>
#include <string_view>
#include <vector>

#include "app/bench/entry_json.h"
#include "compute/mandelbrot/mandelbrot_fields.h"
#include "compute/map/method_fields.h"

namespace loom::app::bench {
namespace {

using Json = nlohmann::ordered_json;

/// A column: the member of an entry's JSON that it shows, and how. Empty where an entry lacks the member.
struct Column {
  std::string_view name;
  std::string_view object = {};  ///< the object or list that has the member; empty: the entry
  std::string_view member = {};  ///< empty: `name`
  bool is_setting = false;       ///< true and false are "on" and "off"
  std::string_view missing = {};
};
using Columns = std::vector<Column>;

std::string csv_field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string result = "\"";
  for (char c : text) result += c == '"' ? "\"\"" : std::string(1, c);
  return result + '"';
}

std::string value_text(const Json& value, bool is_setting) {
  if (value.is_null()) return "";
  if (value.is_string()) return csv_field(value.get_ref<const std::string&>());
  if (value.is_number_float()) return fmt::format("{}", value.get<double>());
  if (value.is_array()) return fmt::format("{}", value.size());
  if (value.is_boolean() && is_setting) return value.get<bool>() ? "on" : "off";
  return value.dump();
}

std::string field_of(const Json& entry, const Column& column) {
  const std::string member(column.member.empty() ? column.name : column.member);
  const auto in = [&](const Json& object) {
    const auto found = object.find(member);
    return found == object.end() ? std::string(column.missing) : value_text(*found, column.is_setting);
  };
  if (column.object.empty()) return in(entry);
  const auto object = entry.find(std::string(column.object));
  if (object == entry.end()) return std::string(column.missing);
  if (!object->is_array()) return in(*object);
  std::vector<std::string> values;  // one per level
  for (const Json& one : *object) values.push_back(in(one));
  return fmt::format("{}", fmt::join(values, ";"));
}

void add(Columns& columns, std::initializer_list<Column> more) {
  columns.insert(columns.end(), more);
}

void add_summary(Columns& columns, std::string_view object) {
  add(columns, {{"median_ms", object, "median"},
                {"min_ms", object, "min"},
                {"p95_ms", object, "p95"},
                {"mean_ms", object, "mean"},
                {"noise", object},
                {"samples", object}});
}

Columns map_columns() {
  Columns columns = {{"fractal"}, {"level"}, {"width"}, {"height"}, {"cells"}};
  for (const MethodField& field : method_fields()) {
    columns.push_back({.name = field.key, .is_setting = true});
    if (field.option == "map") columns.push_back({"block"});
  }
  add(columns, {{"workload"}, {"reduction"}, {"backend"}, {"device"}, {"repeat"}});
  add_summary(columns, "step_ms");
  add(columns, {{"generations_per_sample"},
                {"limited"},
                {"tiles_launched"},
                {"threads_launched"},
                {"threads_active"},
                {"bytes_held"},
                {"bytes_moved"},
                {"cells_per_second"},
                {"bytes_per_second"},
                {"skipped"},
                {.name = "devices", .missing = "1"},
                {"shard"}});
  return columns;
}

Columns mandelbrot_columns() {
  Columns columns = {{"width"}, {"height"}};
  for (const FieldInfo& field : mandelbrot_config_fields())
    columns.push_back({.name = field.key, .is_setting = true});
  add(columns, {{"backend"}, {"device"}, {"repeat"}});
  add_summary(columns, "image_ms");
  add(columns, {{"limited"},
                {"pixels"},
                {"computed_pixels"},
                {"filled_pixels"},
                {"work_reduction"},
                {"split_fraction"},
                {"bytes_held", {}, "bytes"},
                {"levels"},
                {"level_ms", "levels", "ms"},
                {"skipped"},
                {"re_min", "window"},
                {"re_max", "window"},
                {"im_min", "window"},
                {"im_max", "window"},
                {"mirrored_pixels"},
                {"axis_pixels"},
                {"level_width", "levels", "width"},
                {"level_height", "levels", "height"},
                {"level_regions", "levels", "regions"},
                {"level_filled", "levels", "filled"},
                {"level_leaves", "levels", "leaves"},
                {"level_splits", "levels", "splits"},
                {"level_split_fraction", "levels", "split_fraction"},
                {"level_children", "levels", "children"},
                {"level_border_pixels", "levels", "border_pixels"},
                {"level_leaf_pixels", "levels", "leaf_pixels"},
                {"level_filled_pixels", "levels", "filled_pixels"},
                {"launches"},
                {.name = "devices", .missing = "1"},
                {"shard"},
                {"center_re", "center", "re"},
                {"center_im", "center", "im"},
                {"view_width"},
                {"reference_orbit_ms", "reference", "orbit_ms"},
                {"reference_table_ms", "reference", "table_ms"},
                {"reference_reused", "reference", "reused"},
                {"reference_length", "reference", "length"},
                {"reference_period", "reference", "period"},
                {"reference_steps", "reference", "steps"},
                {"reference_bits", "reference", "bits"},
                {"reference_digits", "reference", "digits"},
                {"reference_bytes", "reference", "bytes"}});
  return columns;
}

template <typename ValueOf>
std::string row(const Columns& columns, ValueOf value_of) {
  std::vector<std::string> fields;
  for (const Column& column : columns) fields.push_back(value_of(column));
  return fmt::format("{}\r\n", fmt::join(fields, ","));
}

}  // namespace

std::string csv_text(const Results& results) {
  const Columns columns = results.kind() == SweepKind::kMaps ? map_columns() : mandelbrot_columns();
  std::string text = row(columns, [](const Column& column) { return std::string(column.name); });
  results.for_each([&](const auto& entry) {
    const Json json = entry_json(entry);
    text += row(columns, [&](const Column& column) { return field_of(json, column); });
  });
  return text;
}

}  // namespace loom::app::bench
