#include "app/bench/entry_json.h"

#include <array>

#include "app/bench/mandelbrot_json.h"
#include "app/settings/json_members.h"

namespace loom::app {

// The tables of the types in entries. A new member is a new row.

template <>
constexpr std::array kJsonMembers<bench::Summary> = {
    json_number<&bench::Summary::median, &JsonReader::milliseconds>("median"),
    json_number<&bench::Summary::min, &JsonReader::milliseconds>("min"),
    json_number<&bench::Summary::p95, &JsonReader::milliseconds>("p95"),
    json_number<&bench::Summary::mean, &JsonReader::milliseconds>("mean"),
    json_row<&bench::Summary::noise>("noise"),
    json_row<&bench::Summary::samples>("samples"),
};

template <>
constexpr std::array kJsonMembers<bench::EntryOrigin> = {
    json_row<&bench::EntryOrigin::backend>("backend"),
    json_row<&bench::EntryOrigin::device>("device"),
    json_row<&bench::EntryOrigin::repeat>("repeat"),
    json_row<&bench::EntryOrigin::devices>("devices", Presence::kUnlessDefault),
    json_row<&bench::EntryOrigin::shard>("shard", Presence::kUnlessDefault),
    json_row<&bench::EntryOrigin::skipped>("skipped", Presence::kUnlessDefault),
};

template <>
constexpr std::array kJsonMembers<bench::MapSetup> = {
    json_row<&bench::MapSetup::width>("width"),
    json_row<&bench::MapSetup::height>("height"),
    json_row<&bench::MapSetup::depth>("depth", Presence::kUnlessDefault),
    json_row<&bench::MapSetup::cells>("cells"),
    json_row<&bench::MapSetup::workload>("workload"),
    json_row<&bench::MapSetup::reduction>("reduction"),
};

template <>
constexpr std::array kJsonMembers<bench::MapResult> = {
    json_row<&bench::MapResult::milliseconds, bench::MapResult>("step_ms"),
    json_row<&bench::MapResult::generations_per_sample>("generations_per_sample"),
    json_row<&bench::MapResult::limited, bench::MapResult>("limited"),
    json_row<&bench::MapResult::tiles_launched>("tiles_launched"),
    json_row<&bench::MapResult::threads_launched>("threads_launched"),
    json_row<&bench::MapResult::threads_active>("threads_active"),
    json_row<&bench::MapResult::allocated_bytes>("bytes_held"),
    json_row<&bench::MapResult::bytes_moved>("bytes_moved"),
};

template <>
constexpr std::array kJsonMembers<bench::MandelbrotResult> = {
    json_row<&bench::MandelbrotResult::milliseconds, bench::MandelbrotResult>("image_ms"),
    json_row<&bench::MandelbrotResult::limited, bench::MandelbrotResult>("limited"),
    json_derived<[](const bench::MandelbrotResult& result) { return bench::filled_pixels(result.report); },
                 bench::MandelbrotResult>("filled_pixels"),
    json_derived<[](const bench::MandelbrotResult& result) { return bench::split_fraction(result.report); },
                 bench::MandelbrotResult>("split_fraction"),
};

}  // namespace loom::app

namespace loom::app::bench {
namespace {

using Json = nlohmann::ordered_json;

void add_setup(Json& json, const MapSetup& setup) {
  add_config(json, setup);
  add_members(json, setup);
}

void read_setup(const JsonReader& json, MapSetup& setup) {
  static_cast<ConfigNames&>(setup) = read_config_names(json);
  read_members(json, setup);
}

void add_setup(Json& json, const MandelbrotSetup& setup) {
  add_mandelbrot_config(json, setup.config, setup.view);
}

void read_setup(const JsonReader& json, MandelbrotSetup& setup) {
  read_mandelbrot_config(json, setup.config, setup.view);
  // A skipped configuration may have a view that its precision cannot show.
  if (!setup.view.decimal || !json.has("skipped")) validate(setup.view, setup.config.precision);
}

void add_result(Json& json, const MapEntry& entry) {
  add_members(json, *entry.measured);
  json["cells_per_second"] = cells_per_second(entry);
  json["bytes_per_second"] = bytes_per_second(entry);
}

void add_result(Json& json, const MandelbrotEntry& entry) {
  add_members(json, *entry.measured);
  add_mandelbrot_report(json, entry.measured->report);
}

void read_result(const JsonReader& json, MapResult& result) {
  read_members(json, result);
}

void read_result(const JsonReader& json, MandelbrotResult& result) {
  read_members(json, result);
  read_mandelbrot_report(json, result.report);
  result.report.milliseconds = result.milliseconds.median;
}

template <typename OneEntry>
Json json_of_entry(const OneEntry& entry) {
  auto json = Json::object();
  add_setup(json, entry);
  add_members(json, static_cast<const EntryOrigin&>(entry));
  if (entry.measured) add_result(json, entry);
  return json;
}

template <typename OneEntry>
void read_into(const JsonReader& json, OneEntry& entry) {
  read_setup(json, entry);
  read_members(json, static_cast<EntryOrigin&>(entry));
  if (entry.devices < 1) throw InputError("devices is 0; allowed: 1 and more");
  if (!json.has("skipped")) read_result(json, entry.measured.emplace());
}

}  // namespace

Json entry_json(const MapEntry& entry) {
  return json_of_entry(entry);
}
Json entry_json(const MandelbrotEntry& entry) {
  return json_of_entry(entry);
}

void read_entry(const JsonReader& json, MapEntry& entry) {
  read_into(json, entry);
}
void read_entry(const JsonReader& json, MandelbrotEntry& entry) {
  read_into(json, entry);
}

}  // namespace loom::app::bench
