#include "compute/engine/all_methods.h"

#include "compute/fractal/block_sizes.h"

namespace loom {

std::vector<FractalConfig> all_methods(const NbbFractal& fractal, int level, MethodSet set) {
  std::vector<FractalConfig> configs;
  const auto add_map = [&](FractalConfig config) {
    configs.push_back(config);
    if (config.map != MapKind::kCompact) return;
    config.halo = !config.halo;
    configs.push_back(config);
  };
  for (MapKind map : kMapKinds) {
    for (std::uint32_t block : allowed_blocks(fractal, level)) {
      FractalConfig config{.fractal = fractal, .level = level, .map = map, .block = block};
      if (set == MethodSet::kMaps || map == MapKind::kBoundingBox) {
        add_map(config);
        continue;
      }
      for (MapArithmetic arithmetic : kMapArithmetics) {
        for (IntraBlock intra_block : kIntraBlocks) {
          config.arithmetic = arithmetic;
          config.intra_block = intra_block;
          add_map(config);
        }
      }
    }
  }
  return configs;
}

}  // namespace loom
