#pragma once

#include <cstdint>

#include "compute/geometry/group_neighbours.h"

namespace loom::cuda {

/// Threads of a thread block of the step.
inline constexpr std::uint32_t kPlaneThreads = 128;

/// What a kernel needs to know about the groups. Where planes are a part, those of others count as dead here.
struct PlaneGroups {
  std::uint32_t groups = 0;
  std::uint32_t threads = 0;
  GroupNeighbours neighbours;
  std::uint32_t first = 0;  ///< thread of the launch
};

/// What a part's rim lists (geometry/plane_parts.h), in device memory.
struct RimList {
  const std::uint32_t* threads = nullptr;  ///< of the part
  const std::uint32_t* beside = nullptr;   ///< as PartRim::beside
  std::uint32_t count = 0;                 ///< the first so many of the list
  std::uint32_t listed = 0;                ///< all of it
};

}  // namespace loom::cuda
