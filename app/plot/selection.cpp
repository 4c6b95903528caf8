#include "app/plot/selection.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <utility>

#include "compute/core/error.h"
#include "compute/mandelbrot/mandelbrot_fields.h"

namespace loom::app::plot {
namespace {

using bench::Row;
using bench::SweepKind;

std::vector<Filter> map_filters() {
  return {{"fractal", "Fractal", "Fractal, if the results contain several"},
          {"map", "Map", "Only these maps"},
          {"arithmetic", "Arithmetic", "Only these map arithmetics"},
          {"intra-block", "Intra-block", "Only these intra-block mappings"},
          {"block", "Tile size", "Only these tile widths"},
          {"level", "Level", "Only these levels"},
          {"workload", "Workload", "Workload, if the results contain several (life by default)"},
          {"backend", "Backend", "Backend, if the results contain several"},
          {"devices", "Devices", "Number of devices, if the results contain several"}};
}

std::vector<Filter> mandelbrot_filters() {
  std::vector<Filter> filters;
  for (const FieldInfo& field : mandelbrot_config_fields()) {
    if (!field.in_sweep) continue;
    std::string label(field.label);
    label[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(label[0])));
    filters.push_back({std::string(field.option), label,
                       fmt::format("Mandelbrot: only these values of {}{}", field.label,
                                   field.form == FieldForm::kText ? ", joined by +" : ""),
                       true});
  }
  filters.push_back({"size", "n", "Mandelbrot: only these n"});
  filters.push_back({"width", "Width", "Mandelbrot: only these widths, as in the results"});
  filters.push_back({"space", "Set in space", "Mandelbrot: only these sets in space"});
  filters.push_back({"order", "Order", "Mandelbrot: only these orders of the offset table", true});
  filters.push_back({"backend", "Backend", ""});
  filters.push_back({"devices", "Devices", ""});
  return filters;
}

/// Whether a list of selected values contains a value; an empty list contains all.
bool passes(const Selection& selection, const std::string& option, const std::string& value) {
  const auto wanted = selection.values.find(option);
  return wanted == selection.values.end() || wanted->second.empty() ||
         std::ranges::find(wanted->second, value) != wanted->second.end();
}

/// Whether a row has the setting of an option at all.
bool is_filtered_by(const Row& row, const Filter& filter) {
  if (row.kind() == SweepKind::kMaps)
    return (filter.option != "arithmetic" && filter.option != "intra-block") || !row["arithmetic"].is_null();
  const auto* const field = find_field(mandelbrot_config_fields(), filter.option);
  if (filter.option == "order") return !row["order"].is_null();
  if (filter.option == "ideas" && !row["space"].is_null()) return false;
  return !filter.of_method || !is_exhaustive(row) || (field->applies == nullptr && field->key != "ideas");
}

bool is_selected(const Row& row, const Selection& selection, bool with_base) {
  // Ratios require the bounding box even if it is not selected.
  const bool is_base = with_base && row.kind() == SweepKind::kMaps && row["map"] == kBaseMap;
  return std::ranges::all_of(filters(row.kind()), [&](const Filter& filter) {
    return (is_base && filter.option == "map") || !is_filtered_by(row, filter) ||
           passes(selection, filter.option, value_of(row, filter.option));
  });
}

/// Numbers ascending, names by their letters.
struct ComesBefore {
  bool operator()(const std::string& a, const std::string& b) const {
    const auto key = [](const std::string& text) {
      const bool is_number = !text.empty() && std::isdigit(static_cast<unsigned char>(text[0])) != 0;
      return std::pair(is_number ? text.size() : 0, text);
    };
    return key(a) < key(b);
  }
};

/// Throws if the selection of a plot of maps names a value that no row has.
void check_names(const bench::Results& results, const Selection& selection) {
  for (const Filter& filter : filters(results.kind)) {
    const auto wanted = selection.values.find(filter.option);
    if (wanted == selection.values.end()) continue;
    std::set<std::string, ComesBefore> have;
    for (const Row& row : results.rows) {
      const std::string value = value_of(row, filter.option);
      have.insert(value.empty() ? "none" : value);
    }
    for (const std::string& value : wanted->second) {
      if (!have.contains(value)) {
        throw InputError(fmt::format("--{} '{}' is not in the results; allowed: {}", filter.option, value,
                                     fmt::join(have, ", ")));
      }
    }
  }
}

}  // namespace

XAxis parse_axis(std::string_view name) {
  constexpr std::array kNames = {"n", "g", "r", "b"};
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (kNames[i] == name) return static_cast<XAxis>(static_cast<std::size_t>(XAxis::kSize) + i);
  }
  throw InputError(fmt::format("--over '{}' is not an axis; allowed: {}", name, fmt::join(kNames, ", ")));
}

std::span<const Filter> filters(SweepKind kind) {
  static const std::vector<Filter> of_maps = map_filters();
  static const std::vector<Filter> of_mandelbrot = mandelbrot_filters();
  return kind == SweepKind::kMaps ? of_maps : of_mandelbrot;
}

std::string value_of(const Row& row, std::string_view option) {
  if (row.kind() == SweepKind::kMandelbrot) {
    if (option == "size") return row.text("width");
    if (option == "width") return row["space"].is_null() ? width_text(row) : "";
    if (option == "space" && row["space"].is_null()) return "none";
    const auto* const field = find_field(mandelbrot_config_fields(), option);
    return row.text(field != nullptr ? field->key : option);
  }
  return row.text(option == "intra-block" ? "intra_block" : option);
}

bench::AxisValues subjects_of(const bench::Results& results) {
  bench::AxisValues subjects;
  for (const Row& row : results.rows) {
    if (!row.measured()) continue;
    for (const Filter& filter : filters(results.kind)) {
      if (filter.of_method && is_exhaustive(row)) continue;
      auto& seen = subjects[filter.option];
      const std::string value = value_of(row, filter.option);
      if (std::ranges::find(seen, value) == seen.end()) seen.push_back(value);
    }
  }
  return subjects;
}

Rows select(const bench::Results& results, const Selection& selection, bool with_base) {
  const bool of_maps = results.kind == SweepKind::kMaps;
  if (of_maps) check_names(results, selection);
  Rows rows;
  for (const Row& row : results.rows) {
    if (row.measured() && is_selected(row, selection, with_base)) rows.push_back(&row);
  }
  if (rows.empty()) {
    throw InputError(
        fmt::format("the results contain no measured configuration of this selection ({} entries in total); "
                    "allowed: a wider selection",
                    results.rows.size()));
  }
  if (!of_maps) {
    check_one(rows, "backend", "backend", "--backend");
    check_one(rows, "dwell", "dwell limit", "--dwell");
    check_one(rows, "space", "set", "--space with one of them");
    return rows;
  }
  // A plot shows one workload, and the sweeps of the papers have three. The caption names it.
  const auto is_life = [](const Row* row) { return (*row)["workload"] == "life"; };
  const auto workloads = selection.values.find("workload");
  const bool is_named = workloads != selection.values.end() && !workloads->second.empty();
  if (!is_named && std::ranges::any_of(rows, is_life)) std::erase_if(rows, std::not_fn(is_life));
  for (const char* option : {"fractal", "workload", "backend"}) check_one(rows, option);
  return rows;
}

Rows exhaustive_rows(const bench::Results& results, const Selection& selection) {
  Selection images = selection;
  for (const Filter& filter : filters(results.kind)) {
    if (filter.of_method) images.values.erase(filter.option);
  }
  Rows rows;
  for (const Row& row : results.rows) {
    if (row.measured() && is_exhaustive(row) && is_selected(row, images, false)) rows.push_back(&row);
  }
  return rows;
}

bool same_view(const Row& a, const Row& b) {
  constexpr std::array kView = {"width",  "height",    "re_min",    "re_max",     "im_min",
                                "im_max", "center_re", "center_im", "view_width", "space"};
  return std::ranges::all_of(kView, [&](const char* column) { return a[column] == b[column]; });
}

double exhaustive_ms(const Rows& exhaustive, const Row& row) {
  double fastest = 0;
  for (const Row* one : exhaustive) {
    const double ms = one->number("median_ms");
    const bool is_same = same_view(*one, row) && (*one)["precision"] == row["precision"];
    if (is_same && (fastest == 0 || ms < fastest)) fastest = ms;
  }
  return fastest;
}

void check_one(const Rows& rows, const std::function<std::string(const Row&)>& text_of, std::string_view what,
               std::string_view remedy) {
  std::set<std::string> have;
  for (const Row* row : rows) have.insert(text_of(*row));
  if (have.size() <= 1) return;
  if (remedy.empty())
    throw InputError(fmt::format("the results contain more than one {0}; allowed: --{0} with one of {1}",
                                 what, fmt::join(have, ", ")));
  throw InputError(fmt::format("the results contain more than one {} ({}); allowed: {}", what,
                               fmt::join(have, "; "), remedy));
}

void check_one(const Rows& rows, std::string_view option, std::string_view what, std::string_view remedy) {
  check_one(
      rows, [&](const Row& row) { return value_of(row, option); }, what.empty() ? option : what, remedy);
}

void check_devices(const Rows& rows) {
  if (rows.front()->kind() == SweepKind::kMaps) return check_one(rows, "devices");
  check_one(rows, "devices", "number of devices", "--devices with one of them");
}

}  // namespace loom::app::plot
