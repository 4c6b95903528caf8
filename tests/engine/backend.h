#pragma once

#include <gtest/gtest.h>

#include "compute/core/error.h"
#include "compute/engine/all_methods.h"
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

inline std::string describe(const FractalConfig& config) {
  return config.fractal.name() + " level " + std::to_string(config.level) + " " +
         std::string(name_of(config.map)) + " block " + std::to_string(config.block) +
         (config.halo ? " halo " : " no halo ") + std::string(name_of(config.arithmetic)) + " " +
         std::string(name_of(config.intra_block));
}

}  // namespace loom::tests
