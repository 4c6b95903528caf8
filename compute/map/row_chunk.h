#pragma once

#include <cstdint>

#include "compute/geometry/blocked_fractal.h"

namespace loom {

/// The bytes that a tile's rows on expanded storage can be written in at a time: 16, 4 or 1. Writing in rows
/// (compute/cuda/life/write_rows.cuh) pays from 4 on.
inline std::uint32_t row_chunk(const BlockedFractal& fractal) {
  if (fractal.width % 16 == 0 && fractal.rho_x % 16 == 0) return 16;
  return fractal.width % 4 == 0 && fractal.rho_x % 4 == 0 ? 4 : 1;
}

}  // namespace loom
