#include "app/bench/cell_config.h"

#include "app/settings/field_json.h"

namespace loom::app::bench {

template <typename Config>
ConfigNames names_of(const Config& config) {
  ConfigNames names;
  names.fractal = config.fractal.name();
  names.level = config.level;
  names.tile_size = config.tile_size;
  MapMethod used = config.method;
  used.tiles = tiles_of(used, tiled(config));
  for (const MethodField& field : method_fields()) {
    const auto text = field.text(used);
    if (text && *text != kAutoWord) names.method[std::string(field.key)] = *text;
  }
  return names;
}
template ConfigNames names_of(const FractalConfig& config);
template ConfigNames names_of(const SolidConfig& config);

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
    const bool is_later = field.key == "counting" && !json.has(key.c_str());  // older files lack it
    if (is_later || (field.key != "map" && json.is_null(key.c_str()))) continue;
    names.method[key] = field_text(json, key.c_str());
  }
  return names;
}

}  // namespace loom::app::bench
