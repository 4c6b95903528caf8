#include "compute/check/all_methods.h"

#include "compute/engine/work_costs.h"
#include "compute/geometry/tile_sizes.h"
#include "compute/map/map_method.h"
#include "compute/map/tiling.h"

namespace loom {

std::vector<FractalConfig> all_methods(const NbbFractal& fractal, int level, MethodSet set) {
  std::vector<FractalConfig> configs;
  const auto add = [&](FractalConfig config) {
    const TiledFractal tiled = make_tiled_fractal(fractal, level, config.tile_size);
    if (!method_problem(config.method, tiled).empty()) return;
    const auto add_halos = [&] {
      configs.push_back(config);
      if (config.method.map != MapKind::kCompact) return;
      config.method.halo = !config.method.halo;
      configs.push_back(config);
      config.method.halo = !config.method.halo;
    };
    add_halos();
    if (set != MethodSet::kAllTiles || config.method.arithmetic != MapArithmetic::kLoop) return;
    const auto tiles = allowed_tiles(config.method, tiled);
    config.method.tiles = tiles.front();
    add_halos();
    if (tiles.size() == 1) return;
    config.method.tiles = tiles.back();
    add_halos();
  };
  for (MapKind map : kMapKinds) {
    for (std::uint32_t tile_size : allowed_tile_sizes(fractal, level)) {
      FractalConfig config{
          .fractal = fractal, .level = level, .tile_size = tile_size, .method = {.map = map}};
      if (set == MethodSet::kMaps || map == MapKind::kBoundingBox) {
        add(config);
        continue;
      }
      for (MapArithmetic arithmetic : arithmetics_of(map)) {
        if (!is_exact(arithmetic)) continue;
        for (IntraBlock intra_block : kIntraBlocks) {
          config.method.arithmetic = arithmetic;
          config.method.intra_block = intra_block;
          add(config);
        }
      }
    }
  }
  for (const MapKind map : {MapKind::kBoundingBox, MapKind::kCompact}) {
    FractalConfig config{
        .fractal = fractal, .level = level, .method = {.map = map, .storage = CellStorage::kBits}};
    if (method_problem(config.method, make_tiled_fractal(fractal, level, config.tile_size)).empty())
      configs.push_back(config);
  }
  return configs;
}

}  // namespace loom
