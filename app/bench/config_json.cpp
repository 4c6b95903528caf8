#include "app/bench/config_json.h"

#include "compute/engine/work_costs.h"
#include "compute/map/tiling.h"

namespace loom::app::bench {

ConfigNames names_of(const FractalConfig& config) {
  const bool bounding_box = config.method.map == MapKind::kBoundingBox;
  ConfigNames names;
  names.fractal = config.fractal.name();
  names.level = config.level;
  names.map = name_of(config.method.map);
  names.block = config.block;
  if (config.method.map == MapKind::kCompact) names.halo = config.method.halo;
  if (!bounding_box) names.arithmetic = name_of(config.method.arithmetic);
  names.intra_block = name_of(bounding_box ? IntraBlock::kSubBox : config.method.intra_block);
  const BlockedFractal blocked = make_blocked(config.fractal, config.level, config.block);
  names.tiles = tiling_of(config.method, blocked).tiles();
  return names;
}

void add_config(nlohmann::ordered_json& json, const ConfigNames& names) {
  json["fractal"] = names.fractal;
  json["level"] = names.level;
  json["map"] = names.map;
  json["block"] = names.block;
  json["halo"] = nullptr;
  if (names.halo) json["halo"] = *names.halo;
  json["arithmetic"] = nullptr;
  if (names.arithmetic) json["arithmetic"] = *names.arithmetic;
  json["intra_block"] = names.intra_block;
  json["tiles"] = names.tiles;
}

}  // namespace loom::app::bench
