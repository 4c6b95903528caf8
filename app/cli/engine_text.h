#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "compute/geometry/nbb_fractal.h"

namespace loom::app {

/// The device in an engine's backend name: "NVIDIA H200" of "cuda: NVIDIA H200".
inline std::string device_text(std::string_view backend_name) {
  const auto colon = backend_name.find(": ");
  return std::string(colon == std::string_view::npos ? backend_name : backend_name.substr(colon + 2));
}

/// rho_y of the tile with the width `tile_size`, at a level.
inline std::uint32_t tile_height(const NbbFractal& fractal, int level, std::uint32_t tile_size) {
  std::uint32_t height = 1;
  for (std::uint32_t width = 1, j = 1; width < tile_size; ++j) {
    const Generator& generator = fractal.generator(level, static_cast<int>(j));
    width *= generator.s_x;
    height *= generator.s_y;
  }
  return height;
}

}  // namespace loom::app
