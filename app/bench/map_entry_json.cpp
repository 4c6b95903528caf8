#include "app/bench/entry_json.h"
#include "app/bench/summary_json.h"

namespace loom::app::bench {
namespace {

using Json = nlohmann::ordered_json;

void add_measured(Json& json, const MapEntry& entry) {
  const MapResult& measured = *entry.measured;
  json["step_ms"] = summary_json(measured.milliseconds);
  json["generations_per_sample"] = measured.generations_per_sample;
  json["limited"] = measured.limited;
  json["tiles_launched"] = measured.tiles_launched;
  json["blocks_launched"] = measured.tiles_launched;  // its name in earlier versions
  json["threads_launched"] = measured.threads_launched;
  json["threads_active"] = measured.threads_active;
  json["bytes_held"] = measured.allocated_bytes;
  json["bytes_moved"] = measured.bytes_moved;
  json["cells_per_second"] = cells_per_second(entry);
  json["bytes_per_second"] = bytes_per_second(entry);
}

MapResult read_measured(const JsonReader& json) {
  MapResult measured;
  measured.milliseconds = read_summary(json.object("step_ms"));
  measured.limited = json.yes_no("limited");
  measured.generations_per_sample = json.whole<std::uint32_t>("generations_per_sample");
  measured.tiles_launched =
      json.whole<std::uint64_t>(json.has("tiles_launched") ? "tiles_launched" : "blocks_launched");
  measured.threads_launched = json.whole<std::uint64_t>("threads_launched");
  measured.threads_active = json.whole<std::uint64_t>("threads_active");
  measured.allocated_bytes = json.whole<std::uint64_t>("bytes_held");
  measured.bytes_moved = json.whole<std::uint64_t>("bytes_moved");
  return measured;
}

}  // namespace

void add_origin(nlohmann::ordered_json& json, const EntryOrigin& origin) {
  json["backend"] = origin.backend;
  json["device"] = origin.device;
  json["repeat"] = origin.repeat;
  if (origin.devices != 1) json["devices"] = origin.devices;
  if (origin.shard > 0) json["shard"] = origin.shard;
  if (!origin.skipped.empty()) json["skipped"] = origin.skipped;
}

EntryOrigin read_origin(const JsonReader& json) {
  EntryOrigin origin;
  origin.backend = json.text("backend");
  origin.device = json.whole<int>("device");
  origin.repeat = json.whole<int>("repeat");
  if (json.has("devices")) origin.devices = json.whole<int>("devices");
  if (origin.devices < 1) throw InputError("devices is 0; allowed: 1 and more");
  if (json.has("shard")) origin.shard = json.whole<std::uint32_t>("shard");
  if (json.has("skipped")) origin.skipped = json.text("skipped");
  return origin;
}

nlohmann::ordered_json entry_json(const MapEntry& entry) {
  Json json = Json::object();
  add_config(json, entry);
  json["width"] = entry.width;
  json["height"] = entry.height;
  if (entry.depth != 1) json["depth"] = entry.depth;
  json["cells"] = entry.cells;
  json["workload"] = entry.workload;
  json["reduction"] = entry.reduction ? Json(*entry.reduction) : Json();
  add_origin(json, entry);
  if (entry.measured) add_measured(json, entry);
  return json;
}

MapEntry read_map_entry(const JsonReader& json) {
  MapEntry entry;
  static_cast<ConfigNames&>(entry) = read_config_names(json);
  // Older files lack "tiles" and mean 1. Newer files have null for methods without tiles.
  if (!json.has("tiles")) entry.method["tiles"] = "1";
  static_cast<EntryOrigin&>(entry) = read_origin(json);
  entry.width = json.whole<std::uint64_t>("width");
  entry.height = json.whole<std::uint64_t>("height");
  if (json.has("depth")) entry.depth = json.whole<std::uint64_t>("depth");
  entry.cells = json.whole<std::uint64_t>("cells");
  entry.workload = json.text("workload");
  // Older files lack "reduction".
  if (json.has("reduction") && !json.is_null("reduction")) entry.reduction = json.text("reduction");
  if (!json.has("skipped")) entry.measured = read_measured(json);
  return entry;
}

}  // namespace loom::app::bench
