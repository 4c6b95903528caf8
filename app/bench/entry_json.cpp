#include "app/bench/entry_json.h"

#include "app/bench/mandelbrot_json.h"
#include "app/settings/json_members.h"

namespace loom::app::bench {

// The tables of the types in entries. A new member is a new row.

std::span<const JsonMember<Summary>> json_members(const Summary*) {
  using Row = JsonMemberOf<Summary>;
  static constexpr JsonMember<Summary> kMembers[] = {
      Row::time<&Summary::median>("median"), Row::time<&Summary::min>("min"),
      Row::time<&Summary::p95>("p95"),       Row::time<&Summary::mean>("mean"),
      Row::value<&Summary::noise>("noise"),  Row::value<&Summary::samples>("samples"),
  };
  return kMembers;
}

std::span<const JsonMember<EntryOrigin>> json_members(const EntryOrigin*) {
  using Row = JsonMemberOf<EntryOrigin>;
  static constexpr JsonMember<EntryOrigin> kMembers[] = {
      Row::value<&EntryOrigin::backend>("backend"),
      Row::value<&EntryOrigin::device>("device"),
      Row::value<&EntryOrigin::repeat>("repeat"),
      Row::value<&EntryOrigin::devices>("devices", Presence::kUnlessDefault),
      Row::value<&EntryOrigin::shard>("shard", Presence::kUnlessDefault),
      Row::value<&EntryOrigin::skipped>("skipped", Presence::kUnlessDefault),
  };
  return kMembers;
}

std::span<const JsonMember<MapSetup>> json_members(const MapSetup*) {
  using Row = JsonMemberOf<MapSetup>;
  static constexpr JsonMember<MapSetup> kMembers[] = {
      Row::value<&MapSetup::width>("width"),
      Row::value<&MapSetup::height>("height"),
      Row::value<&MapSetup::depth>("depth", Presence::kUnlessDefault),
      Row::value<&MapSetup::cells>("cells"),
      Row::value<&MapSetup::workload>("workload"),
      Row::value<&MapSetup::reduction>("reduction", Presence::kAddedLater),
  };
  return kMembers;
}

std::span<const JsonMember<MapResult>> json_members(const MapResult*) {
  using Row = JsonMemberOf<MapResult>;
  static constexpr JsonMember<MapResult> kMembers[] = {
      Row::value<&MapResult::milliseconds>("step_ms"),
      Row::value<&MapResult::generations_per_sample>("generations_per_sample"),
      Row::value<&MapResult::limited>("limited"),
      {"tiles_launched", [](const MapResult& result) { return json_of(result.tiles_launched); },
       [](const JsonReader& json, const char* key, MapResult& result) {
         read_value(json, json.has(key) ? key : "blocks_launched", result.tiles_launched);
       }},
      Row::derived<&MapResult::tiles_launched>("blocks_launched"),  // its name in earlier versions
      Row::value<&MapResult::threads_launched>("threads_launched"),
      Row::value<&MapResult::threads_active>("threads_active"),
      Row::value<&MapResult::allocated_bytes>("bytes_held"),
      Row::value<&MapResult::bytes_moved>("bytes_moved"),
  };
  return kMembers;
}

std::span<const JsonMember<MandelbrotResult>> json_members(const MandelbrotResult*) {
  using Row = JsonMemberOf<MandelbrotResult>;
  static constexpr JsonMember<MandelbrotResult> kMembers[] = {
      Row::value<&MandelbrotResult::milliseconds>("image_ms"),
      Row::value<&MandelbrotResult::limited>("limited"),
      Row::derived<[](const MandelbrotResult& result) { return filled_pixels(result.report); }>(
          "filled_pixels"),
      Row::derived<[](const MandelbrotResult& result) { return split_fraction(result.report); }>(
          "split_fraction"),
  };
  return kMembers;
}

namespace {

using Json = nlohmann::ordered_json;

void add_setup(Json& json, const MapSetup& setup) {
  add_config(json, setup);
  add_members(json, setup);
}

void read_setup(const JsonReader& json, MapSetup& setup) {
  static_cast<ConfigNames&>(setup) = read_config_names(json);
  // Older files lack "tiles" and mean 1. Newer files have null for methods without tiles.
  if (!json.has("tiles")) setup.method["tiles"] = "1";
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
