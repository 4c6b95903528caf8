#pragma once

#include <cstdint>

#include "compute/core/host_device.h"
#include "compute/geometry/bit_planes.h"
#include "compute/geometry/storage.h"
#include "compute/workload/game_of_life.h"

namespace loom {

/// The next state of boundary cell `number` of a partition (geometry/byte_parts.h). `boundary` and `beside`
/// are the positions of the cell and of its neighbours, own or halo cells, in a generation's memory.
LOOM_HOST_DEVICE std::uint8_t next_boundary_state(const std::uint8_t* now, const std::uint64_t* boundary,
                                                  const std::uint64_t* beside, std::uint64_t size,
                                                  std::uint64_t number, LifeRule rule) {
  std::uint32_t living = 0;
  for (int d = 0; d < kDirections; ++d) {
    const std::uint64_t at = beside[static_cast<std::uint64_t>(d) * size + number];
    if (at != kNoIndex) living += now[at];
  }
  return next_state(rule, now[boundary[number]], living);
}

}  // namespace loom
