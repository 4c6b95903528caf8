#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "backend.h"
#include "compute/backend/engine_factory.h"
#include "compute/distributed/partitioning.h"
#include "compute/geometry/tiled_fractal.h"

namespace loom::tests {

/// Several partitions on one device stand in for several devices.
class SplitTest : public EngineTest, public testing::WithParamInterface<CellStorage> {
 protected:
  std::unique_ptr<FractalEngine> in_parts(const FractalConfig& config, std::size_t count) const {
    return make_distributed_engine(config, std::vector<Device>(count, backend_.device));
  }
  static FractalConfig config_of(const NbbFractal& fractal, int level, std::uint32_t tile_size = 1) {
    return {.fractal = fractal,
            .level = level,
            .tile_size = tile_size,
            .method = {.map = MapKind::kCompact, .storage = GetParam()}};
  }
  static bool in_bits() { return GetParam() == CellStorage::kBits; }
  /// For byte storage, one configuration per tile size that allows this number of partitions.
  static std::vector<FractalConfig> configs_of(const NbbFractal& fractal, int level, std::size_t parts) {
    if (in_bits()) return {config_of(fractal, level)};
    std::vector<FractalConfig> configs;
    for (const std::uint32_t tile_size : allowed_tile_sizes(fractal, level)) {
      if (partition_problem(config_of(fractal, level, tile_size), parts).empty())
        configs.push_back(config_of(fractal, level, tile_size));
    }
    return configs;
  }
  /// One of configs_of(), selected by `number`.
  static FractalConfig any_config_of(const NbbFractal& fractal, int level, std::size_t parts,
                                     std::uint64_t number) {
    const std::vector<FractalConfig> configs = configs_of(fractal, level, parts);
    return configs.at(number % configs.size());
  }
  /// The highest level with at most `cells` cells.
  static int level_with(const NbbFractal& fractal, std::uint64_t cells) {
    int level = 0;
    while (level < fractal.max_level() && fractal.cells(level + 1) <= cells) ++level;
    return level;
  }
};

inline void expect_same(const Census& found, const Census& expected) {
  EXPECT_EQ(found.population, expected.population);
  EXPECT_EQ(found.hash, expected.hash);
}

}  // namespace loom::tests
