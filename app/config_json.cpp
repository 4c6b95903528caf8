#include "app/config_json.h"

#include "compute/engine/work_costs.h"
#include "compute/map/tiling.h"

namespace loom::app {

void add_config(nlohmann::ordered_json& json, const FractalConfig& config) {
  const bool bounding_box = config.map == MapKind::kBoundingBox;
  json["fractal"] = config.fractal.name();
  json["level"] = config.level;
  json["map"] = name_of(config.map);
  json["block"] = config.block;
  json["halo"] = nullptr;
  if (config.map == MapKind::kCompact) json["halo"] = config.halo;
  json["arithmetic"] = nullptr;
  if (!bounding_box) json["arithmetic"] = name_of(config.arithmetic);
  json["intra_block"] = name_of(bounding_box ? IntraBlock::kSubBox : config.intra_block);
  const BlockedFractal blocked = make_blocked(config.fractal, config.level, config.block);
  json["tiles"] = tiling_of(method_of(config), blocked).tiles();
}

}  // namespace loom::app
