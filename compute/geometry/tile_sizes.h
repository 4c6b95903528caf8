#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "compute/geometry/nbb_fractal.h"

namespace loom {

/// The tile sizes rho_x = s_x^j with rho_x * rho_y <= 1024 and j <= level, ascending; products of the lowest
/// levels' scales if the fractal is not uniform.
std::vector<std::uint32_t> allowed_tile_sizes(const NbbFractal& fractal, int level);

/// The tile level j of an allowed tile size rho_x = s_x^j; nothing for other sizes. Does not allocate memory.
std::optional<int> tile_level_of(const NbbFractal& fractal, int level, std::uint32_t tile_size);

/// The largest allowed tile size not above `wanted`; 1 if there is none.
std::uint32_t nearest_tile_size(const NbbFractal& fractal, int level, std::uint32_t wanted);

}  // namespace loom
