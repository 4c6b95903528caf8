#pragma once

#include <rapidcheck.h>

#include <algorithm>
#include <string>
#include <vector>

#include "app/explain/thread_space.h"
#include "compute/geometry/nbb_catalog.h"
#include "compute/geometry/tiled_fractal.h"

namespace loom::app::explain::tests {

/// A level small enough to enumerate the threads of every method.
inline int small_level(const NbbFractal& fractal) {
  return fractal.shape().k > 5 ? 2 : 3;
}

/// Calls `use` for every method that this tiled fractal allows, with every number of tiles per thread block.
template <typename Use>
void for_each_method(const NbbFractal& fractal, int level, std::uint32_t tile_size, const Use& use) {
  const TiledFractal tiled = make_tiled_fractal(fractal, level, tile_size);
  for (const MapKind map : kMapKinds) {
    std::vector<MapArithmetic> arithmetics = arithmetics_of(map);
    if (arithmetics.empty()) arithmetics = {MapArithmetic::kLoop};
    for (const MapArithmetic arithmetic : arithmetics) {
      for (const IntraBlock intra_block : kIntraBlocks) {
        MapMethod method{.map = map, .arithmetic = arithmetic, .intra_block = intra_block};
        if (map == MapKind::kBoundingBox && intra_block != IntraBlock::kSubBox) continue;
        if (!method_problem(method, tiled).empty()) continue;
        std::vector<std::uint32_t> tiles = allowed_tiles(method, tiled);
        tiles.push_back(0);
        for (const std::uint32_t count : tiles) {
          method.tiles = count;
          use(FractalConfig{.fractal = fractal, .level = level, .tile_size = tile_size, .method = method});
        }
      }
    }
  }
}

inline std::string name_of_case(const FractalConfig& config) {
  return config.fractal.name() + " level " + std::to_string(config.level) + " tile size " +
         std::to_string(config.tile_size) + " " + to_string(config.method);
}

inline std::uint64_t random_below(std::uint64_t end) {
  return *rc::gen::resize(1000, rc::gen::arbitrary<std::uint64_t>()) % end;
}

/// A random valid configuration at any level.
inline FractalConfig random_configuration() {
  // One random number selects both fractal and level, so that shrinking keeps a level that the fractal has.
  const std::uint64_t picked = random_below(std::uint64_t{1} << 32);
  const NbbFractal& fractal = catalog()[picked % catalog().size()];
  FractalConfig config{.fractal = fractal};
  // The highest level that validate() allows: sides up to 2^62.
  int highest = fractal.max_level();
  while (std::max(fractal.width(highest), fractal.height(highest)) > std::uint64_t{1} << 62) --highest;
  config.level = static_cast<int>(picked / catalog().size() % static_cast<std::uint64_t>(highest + 1));
  config.tile_size = *rc::gen::elementOf(allowed_tile_sizes(fractal, config.level));
  config.method.map = *rc::gen::elementOf(std::vector<MapKind>(kMapKinds.begin(), kMapKinds.end()));
  if (config.method.map != MapKind::kBoundingBox) {
    config.method.arithmetic = *rc::gen::elementOf(arithmetics_of(config.method.map));
    config.method.intra_block =
        *rc::gen::elementOf(std::vector<IntraBlock>(kIntraBlocks.begin(), kIntraBlocks.end()));
  }
  keep_method_valid(config);
  const TiledFractal tiled = make_tiled_fractal(fractal, config.level, config.tile_size);
  config.method.tiles = *rc::gen::elementOf(allowed_tiles(config.method, tiled));
  return config;
}

inline ThreadRef random_thread(const ThreadSpace& space) {
  return {{random_below(space.shape().tiles_x), random_below(space.shape().tiles_y)},
          static_cast<std::uint32_t>(random_below(space.threads_per_tile()))};
}

}  // namespace loom::app::explain::tests
