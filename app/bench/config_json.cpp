#include "app/bench/config_json.h"

#include "app/settings/field_json.h"
#include "compute/map/method_fields.h"
#include "compute/map/tiling.h"

namespace loom::app::bench {

ConfigNames names_of(const FractalConfig& config) {
  ConfigNames names;
  names.fractal = config.fractal.name();
  names.level = config.level;
  names.tile_size = config.tile_size;
  MapMethod used = config.method;
  used.tiles = tiling_of(used, make_tiled_fractal(config.fractal, config.level, config.tile_size)).tiles();
  for (const MethodField& field : method_fields()) {
    if (const auto text = field.text(used)) names.method[std::string(field.key)] = *text;
  }
  return names;
}

ConfigNames names_of(const SolidConfig& config) {
  ConfigNames names;
  names.fractal = config.fractal.name();
  names.level = config.level;
  names.tile_size = config.tile_size;
  MapMethod used = config.method;
  used.tiles =
      solid_launch(used, make_tiled_solid(config.fractal, config.level, config.tile_size)).tiling.tiles;
  for (const MethodField& field : method_fields()) {
    if (const auto text = field.text(used)) names.method[std::string(field.key)] = *text;
  }
  return names;
}

std::string method_text(const ConfigNames& names) {
  std::string text = names.map();
  const auto arithmetic = names.part("arithmetic");
  if (arithmetic) text += ", " + *arithmetic + ", " + names.part("intra_block").value_or("");
  if (const auto halo = names.part("halo")) text += *halo == "on" ? ", halo" : ", no halo";
  return text;
}

void add_config(nlohmann::ordered_json& json, const ConfigNames& names) {
  json["fractal"] = names.fractal;
  json["level"] = names.level;
  for (const MethodField& field : method_fields()) {
    const auto text = names.part(field.key);
    const std::string key(field.key);
    json[key] = nullptr;
    if (text) json[key] = json_value(field, *text);
    if (field.key == "map") json["block"] = names.tile_size;
  }
}

ConfigNames read_config_names(const JsonReader& json) {
  ConfigNames names;
  names.fractal = json.text("fractal");
  names.level = json.level("level");
  names.tile_size = json.whole<std::uint32_t>("block");
  for (const MethodField& field : method_fields()) {
    const std::string key(field.key);
    // Files of older versions lack fields that were added later.
    if (field.key != "map" && (!json.has(key.c_str()) || json.is_null(key.c_str()))) continue;
    names.method[key] = field_text(json, key.c_str());
  }
  return names;
}

}  // namespace loom::app::bench
