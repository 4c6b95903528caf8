#pragma once

#include <cstdint>

#include "compute/geometry/nbb_fractal.h"

namespace loom::app {

/// rho_y = s_y^j of the block whose width is `block` = s_x^j.
inline std::uint32_t block_height(const NbbFractal& fractal, std::uint32_t block) {
  std::uint32_t height = 1;
  for (std::uint32_t width = 1; width < block; width *= fractal.shape().s_x) height *= fractal.shape().s_y;
  return height;
}

}  // namespace loom::app
