#pragma once

#include <gtest/gtest.h>

#include "compute/core/error.h"
#include "compute/engine/engine_factory.h"
#include "compute/fractal/nbb_catalog.h"

namespace loom::tests {

/// Tests of one backend, compiled once for each: LOOM_TEST_BACKEND is kCpu or kCuda. Without a CUDA device a
/// test is skipped, with the reason.
class EngineTest : public testing::Test {
 protected:
  void SetUp() override {
    try {
      backend_ = select_backend(BackendChoice::LOOM_TEST_BACKEND);
    } catch (const MachineError& error) {
      GTEST_SKIP() << error.what();
    }
  }
  std::unique_ptr<FractalEngine> make(const FractalConfig& config) const {
    return make_fractal_engine(config, backend_);
  }

  BackendSelection backend_;
};

/// Every way to run a fractal at a level: maps, block sizes, arithmetics, intra-block mappings, and the
/// compact map with and without halo.
inline std::vector<FractalConfig> all_configs(const NbbFractal& fractal, int level) {
  std::vector<FractalConfig> configs;
  for (std::uint32_t block : allowed_blocks(fractal, level)) {
    configs.push_back({.fractal = fractal, .level = level, .map = MapKind::kBoundingBox, .block = block});
    for (MapArithmetic arithmetic : kMapArithmetics) {
      for (IntraBlock intra_block : kIntraBlocks) {
        configs.push_back({fractal, level, MapKind::kLambda, block, true, arithmetic, intra_block});
        configs.push_back({fractal, level, MapKind::kCompact, block, true, arithmetic, intra_block});
        configs.push_back({fractal, level, MapKind::kCompact, block, false, arithmetic, intra_block});
      }
    }
  }
  return configs;
}

inline std::string describe(const FractalConfig& config) {
  return config.fractal.name() + " level " + std::to_string(config.level) + " " +
         std::string(name_of(config.map)) + " block " + std::to_string(config.block) +
         (config.halo ? " halo " : " no halo ") + std::string(name_of(config.arithmetic)) + " " +
         std::string(name_of(config.intra_block));
}

}  // namespace loom::tests
