#pragma once

#include <algorithm>
#include <cstdint>

#include "compute/core/host_device.h"
#include "compute/engine/viewport.h"

namespace loom {

/// The kDensity16 value of a pixel with `cells` cells, `living` <= cells of them alive (see PixelFormat).
LOOM_HOST_DEVICE std::uint16_t density_value(std::uint64_t cells, std::uint64_t living) {
  return cells == 0 ? std::uint16_t{0} : static_cast<std::uint16_t>(1 + (living * 65534 + cells / 2) / cells);
}

/// Where pixels of one axis lie in cells. The longest stretch that a pixel of these edges covers.
inline std::int64_t longest_footprint(const std::vector<std::int64_t>& edges) {
  std::int64_t longest = 1;
  for (std::size_t i = 0; i + 1 < edges.size(); ++i) longest = std::max(longest, edges[i + 1] - edges[i]);
  return longest;
}

}  // namespace loom
