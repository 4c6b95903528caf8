#pragma once

#include <algorithm>
#include <cstdint>

#include "compute/core/host_device.h"
#include "compute/engine/viewport.h"

namespace loom {

/// The kDensity16 value of a pixel with `cells` cells, of which `living` are alive (see PixelFormat).
LOOM_HOST_DEVICE std::uint16_t density_value(std::uint64_t cells, std::uint64_t living) {
  return cells == 0 ? std::uint16_t{0} : static_cast<std::uint16_t>(1 + (living * 65534 + cells / 2) / cells);
}

/// The largest number of cells that a pixel covers on an axis with these edges.
inline std::int64_t longest_footprint(const std::vector<std::int64_t>& edges) {
  std::int64_t longest = 1;
  for (std::size_t i = 0; i + 1 < edges.size(); ++i) longest = std::max(longest, edges[i + 1] - edges[i]);
  return longest;
}

}  // namespace loom
