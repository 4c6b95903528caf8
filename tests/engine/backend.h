#pragma once

#include <gtest/gtest.h>

#include "compute/backend/engine_factory.h"
#include "compute/check/verification.h"
#include "compute/core/error.h"
#include "compute/geometry/nbb_catalog.h"

namespace loom::tests {

/// The backend under test. The tests are compiled once and linked into one program per backend.
BackendChoice tested_backend();

/// Base fixture for tests of one backend. Skips the test, with the reason, if the backend is not available.
class EngineTest : public testing::Test {
 protected:
  void SetUp() override {
    try {
      backend_ = select_backend(tested_backend());
    } catch (const MachineError& error) {
      GTEST_SKIP() << error.what();
    }
  }
  std::unique_ptr<FractalEngine> make(const FractalConfig& config) const {
    return make_fractal_engine(config, backend_);
  }

  BackendSelection backend_;
};

/// The values of an image in host memory, row by row.
inline std::vector<std::uint16_t> pixels_of(const ImageView& image) {
  std::vector<std::uint16_t> pixels;
  for (int row = 0; row < image.height; ++row) {
    const auto* begin = reinterpret_cast<const std::uint16_t*>(
        static_cast<const std::uint8_t*>(image.pixels) + row * image.row_bytes);
    pixels.insert(pixels.end(), begin, begin + image.width);
  }
  return pixels;
}

inline std::string describe(const FractalConfig& config) {
  return config.fractal.name() + " level " + std::to_string(config.level) + " " +
         std::string(name_of(config.method.map)) + " " + std::string(name_of(config.method.storage)) +
         " tile size " + std::to_string(config.tile_size) + (config.method.halo ? " halo " : " no halo ") +
         std::string(name_of(config.method.arithmetic)) + " " +
         std::string(name_of(config.method.intra_block));
}

}  // namespace loom::tests
